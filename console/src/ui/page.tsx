import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { shownName } from '../i18n/names';
import { Icon } from './icon';

interface PageHeadProps {
  readonly title: string;
  /** The parent screen, as a link back. */
  readonly above?: { readonly href: string; readonly label: string };
  /** A status or number beside the title. */
  readonly beside?: ComponentChildren;
  /** Buttons, with the primary one last. */
  readonly children?: ComponentChildren;
}

/** Renders the head of a screen, and sets the window's title. */
export function PageHead({ title, above, beside, children }: PageHeadProps) {
  const name = shownName(title);
  useEffect(() => {
    document.title = `${name} · Expiration gateway`;
  }, [name]);
  return (
    <header class="head">
      {above && (
        <p class="crumb">
          <a href={above.href}>
            <Icon name="back" />
            {shownName(above.label)}
          </a>
        </p>
      )}
      <h1>{name}</h1>
      {beside}
      {children && <div class="actions">{children}</div>}
    </header>
  );
}

/** Renders a card with its heading and actions. */
export function Card({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card">
      <div class="cardhead">
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
