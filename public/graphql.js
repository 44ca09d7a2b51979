import { byId, startSession } from './tool.js';

const editor = byId('editor');
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
  isNeeded: true,
  onEnter() {
    if (started) return;
    started = true;
    followTheme();
    window.YogaGraphiQL.renderYogaGraphiQL(editor, {
      endpoint: '/graphql',
      defaultQuery: '{ me { name role } }',
      // Asked at each request, so that another token takes its place at once.
      additionalHeaders: () => session.headers,
      // The browser does not store tokens that somebody types there.
      shouldPersistHeaders: false,
    });
  },
});

// Notices a token that is not valid any more. The editor has no hook for that.
const { fetch } = window;
window.fetch = async (...asked) => {
  const response = await fetch(...asked);
  if (response.status === 401) session.end();
  return response;
};
