import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, type IconName } from './icon';

/** The weight of a button. One is the first of its screen. */
type Weight = 'first' | 'plain' | 'bare' | 'bad';

interface Look {
  readonly icon?: IconName;
  readonly weight?: Weight;
  readonly children?: ComponentChildren;
}

interface ButtonProps
  extends Look,
    Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'icon' | 'onClick'> {
  /** Work that it does. While its promise is open, the button is busy. */
  readonly onClick?: (event: MouseEvent) => unknown;
  readonly isBusy?: boolean;
}

const classOf = (weight: Weight, square: boolean) => `button ${weight}${square ? ' square' : ''}`;

/** Draws a button that does something here. */
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

/** Draws a button with an icon alone, whose label is told and shown on hovering. */
export function IconButton({ icon, label, weight = 'bare', ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} class={classOf(weight, true)} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}

/** Draws a link that looks like a button: it leads to another address. */
export function LinkButton({ icon, weight = 'plain', children, href }: Look & { readonly href: string }) {
  return (
    <a class={classOf(weight, false)} href={href}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
