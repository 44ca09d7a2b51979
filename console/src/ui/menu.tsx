import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon';

interface MenuProps {
  readonly label: string;
  readonly icon?: IconName;
  /** True to show only the icon; the label is read out. */
  readonly isSquare?: boolean;
  readonly weight?: 'plain' | 'bare';
  /** True if it contains fields rather than actions. */
  readonly isForm?: boolean;
  readonly onOpen?: () => void;
  /** A name for styles. */
  readonly class?: string;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Places a menu below its button, or above it if there is no room. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isRtl = getComputedStyle(button).direction === 'rtl';
  const wanted = isRtl ? at.right - width : at.left;
  const left = Math.max(8, Math.min(wanted, document.documentElement.clientWidth - width - 8));
  const below = at.bottom + 4;
  const top = below + height > window.innerHeight - 8 ? Math.max(8, at.top - height - 4) : below;
  menu.style.left = `${left}px`;
  menu.style.top = `${top}px`;
}

/** Renders a button that opens a menu of actions, links or fields. */
export function Menu({
  label,
  icon,
  isSquare,
  weight = 'plain',
  isForm,
  onOpen,
  children,
  ...props
}: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => menu.current?.hidePopover();
  function move(event: KeyboardEvent) {
    if (isForm || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    const entries = [...(menu.current?.querySelectorAll<HTMLElement>('a, button') ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const next = event.key === 'ArrowDown' ? at + 1 : at < 0 ? entries.length - 1 : at - 1;
    entries[(next + entries.length) % entries.length]?.focus();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows lead through the entries, which are buttons.
    <div class={`menubox ${props.class ?? ''}`} onKeyDown={move}>
      <button
        ref={button}
        type="button"
        popovertarget={id}
        class={`button ${weight}${isSquare ? ' square' : ''}`}
        aria-label={label}
        title={isSquare ? label : undefined}
      >
        {icon && <Icon name={icon} />}
        {!isSquare && <span>{label}</span>}
        {!isSquare && <Icon name="down" />}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        class={isForm ? 'menu padded' : 'menu nav'}
        onToggle={() => {
          if (!menu.current?.matches(':popover-open') || !button.current) return;
          place(menu.current, button.current);
          onOpen?.();
        }}
      >
        {children(close)}
      </div>
    </div>
  );
}

/** Renders an action of a menu. */
export function MenuAction({
  icon,
  children,
  onClick,
}: {
  readonly icon?: IconName;
  readonly children: ComponentChildren;
  readonly onClick: () => unknown;
}) {
  return (
    <button type="button" onClick={onClick}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}
