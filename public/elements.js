/** Finds an element of the page by its id. */
export const byId = (id) => document.getElementById(id);

/** Makes an element. What is put into it as text is shown as text, whatever it looks like. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
