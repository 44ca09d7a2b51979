import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, type IconName } from './icon';

/** The prominence of a button. One per screen is the primary one. */
type Weight = 'first' | 'plain' | 'bare' | 'bad';

interface Look {
  readonly icon?: IconName;
  readonly weight?: Weight;
  readonly children?: ComponentChildren;
}

interface ButtonProps
  extends Look,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'icon' | 'onClick'> {
  /** Its action. While the returned promise is pending, the button is busy. */
  readonly onClick?: (event: MouseEvent) => unknown;
  readonly isBusy?: boolean;
}

const classOf = (weight: Weight, square: boolean) => `button ${weight}${square ? ' square' : ''}`;

/** Renders a button that does something on this page. */
export function Button({ icon, weight = 'plain', children, onClick, isBusy = false, ...rest }: ButtonProps) {
  const [working, setWorking] = useState(false);
  const busy = isBusy || working;
  async function press(event: MouseEvent) {
    if (busy) {
      event.preventDefault();
      return;
    }
    const work = onClick?.(event);
    if (!(work instanceof Promise)) return;
    setWorking(true);
    await work.finally(() => setWorking(false));
  }
  return (
    <button
      type="button"
      {...rest}
      class={classOf(weight, false)}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  readonly icon: IconName;
  readonly label: string;
}

/** Renders an icon button, whose label is read out and shown on hovering. */
export function IconButton({ icon, label, weight = 'bare', ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} class={classOf(weight, true)} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}

/** Renders a link that looks like a button. */
export function LinkButton({ icon, weight = 'plain', children, href }: Look & { readonly href: string }) {
  return (
    <a class={classOf(weight, false)} href={href}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
