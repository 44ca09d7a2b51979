import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from './icon';

interface PageHeadProps {
  readonly title: string;
  /** The screen that it belongs to: a link back. */
  readonly above?: { readonly href: string; readonly label: string };
  /** A state or a number beside the title. */
  readonly beside?: ComponentChildren;
  /** Buttons, the first of the screen last. */
  readonly children?: ComponentChildren;
}

/** Draws the head of a screen, and names the window after it. */
export function PageHead({ title, above, beside, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Expiration gateway`;
  }, [title]);
  return (
    <header class="head">
      {above && (
        <p class="crumb">
          <a href={above.href}>
            <Icon name="back" />
            {above.label}
          </a>
        </p>
      )}
      <h1>{title}</h1>
      {beside}
      {children && <div class="actions">{children}</div>}
    </header>
  );
}

/** Draws a card with its heading, and what can be done with it. */
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
