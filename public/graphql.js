import { byId } from './elements.js';
import { startSession } from './sign-in.js';

const [editor, waiting] = ['editor', 'waiting'].map(byId);
const workers = {
  editorWorkerService: editor.dataset.editor,
  graphql: editor.dataset.graphql,
  json: editor.dataset.json,
};
window.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };

/** Lets the editor have the theme that was chosen in the console, by the name that it keeps its own by. */
function followTheme() {
  const { theme } = document.documentElement.dataset;
  try {
    if (theme) localStorage.setItem('graphiql:theme', theme);
    else localStorage.removeItem('graphiql:theme');
  } catch {
    // It follows the machine's then.
  }
}

let started = false;

const session = startSession({
  caller: editor.dataset.caller,
  onEnter() {
    waiting.hidden = true;
    if (started) return;
    started = true;
    followTheme();
    window.YogaGraphiQL.renderYogaGraphiQL(editor, {
      endpoint: '/graphql',
      defaultQuery: '{ me { name role } }',
      // Asked at each request, so that another token takes its place at once.
      additionalHeaders: () => ({ Authorization: `Bearer ${session.token}` }),
    });
  },
  onLeave() {
    // What the editor has loaded goes with the page.
    if (started) location.reload();
    waiting.hidden = false;
  },
});
