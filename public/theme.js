/** The theme that was chosen in the console; all pages of this gateway keep it by this name. */
const key = 'expiration-gateway.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

function chosen() {
  try {
    const theme = localStorage.getItem(key);
    return theme === 'light' || theme === 'dark' ? theme : undefined;
  } catch {
    return undefined;
  }
}

/** Shows the theme that is chosen, else that of the machine. The class is what the style sheet of Swagger UI asks for. */
function follow() {
  const theme = chosen();
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  root.classList.toggle('dark-mode', theme ? theme === 'dark' : dark.matches);
}

dark.addEventListener('change', follow);
window.addEventListener('storage', follow);
follow();
