import type { ComponentChildren } from 'preact';
import { type Fault, faultText } from '../data/fault';
import { t } from '../i18n/i18n';
import { Button } from './button';
import { Icon, type IconName } from './icon';

/** Renders an empty state: why there is nothing, and what to do next. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children && <div class="line">{children}</div>}
    </div>
  );
}

/** Renders a fault, with a way to continue. A sign-out is reported by the sign-in dialog instead. */
export function FaultNote({ fault, onRetry }: { readonly fault: Fault; readonly onRetry?: () => unknown }) {
  if (fault.kind === 'signed-out') return null;
  const retries = fault.kind !== 'forbidden' && fault.kind !== 'gone';
  return (
    <div class="note bad" role="alert">
      <Icon name="warning" />
      <p>{faultText(fault)}</p>
      {fault.kind === 'outdated' && <Button onClick={() => location.reload()}>{t('common.reload')}</Button>}
      {fault.kind !== 'outdated' && retries && onRetry && (
        <Button onClick={onRetry}>{t('common.try_again')}</Button>
      )}
    </div>
  );
}

/** Renders a skeleton of a text that is loading. */
export function Bone({ width = '100%', height }: { readonly width?: string; readonly height?: string }) {
  return <span class="bone" style={{ inlineSize: width, ...(height && { blockSize: height }) }} />;
}

/** Renders a skeleton of rows that are loading. */
export function Bones({ rows }: { readonly rows: number }) {
  return (
    <div class="stack" aria-busy="true">
      <span class="unseen">{t('common.loading')}</span>
      {Array.from({ length: rows }, (_, at) => (
        <Bone key={at} width={`${92 - ((at * 17) % 40)}%`} height="1.25rem" />
      ))}
    </div>
  );
}
