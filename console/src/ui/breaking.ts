import { type ComponentChildren, h, options, type VNode } from 'preact';

/** Elements whose text is no flow of words, or is shown as it is. */
const whole = new Set(['option', 'pre', 'script', 'style', 'textarea', 'title']);

/** Divides an address where it may continue in a new line. Browsers know such places only at hyphens. */
const dividedAddress = (address: string): ComponentChildren[] =>
  address
    .split(/(?<=[@.])(?=[\p{L}\p{Nd}])/u)
    .flatMap((part, at) => (at === 0 ? [part] : [h('wbr', null), part]));

function divided(child: ComponentChildren): ComponentChildren {
  if (Array.isArray(child)) return child.map(divided);
  if (typeof child !== 'string' || !child.includes('@')) return child;
  return child.split(/([^\s@]+@[^\s@]+)/).flatMap((part, at) => (at % 2 === 0 ? part : dividedAddress(part)));
}

/**
 * Lets e-mail addresses continue in a new line behind `@` and dots. Otherwise they do so in the middle of a word where
 * they have no room.
 */
export function breakAddresses(): void {
  const { vnode: next } = options;
  options.vnode = (vnode: VNode<{ children?: ComponentChildren }>) => {
    const { type, props } = vnode;
    if (typeof type === 'string' && props.children !== undefined && !whole.has(type))
      props.children = divided(props.children);
    next?.(vnode);
  };
}
