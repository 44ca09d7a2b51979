import { byId } from './elements.js';
import { startSession } from './sign-in.js';

const [editor, waiting] = ['editor', 'waiting'].map(byId);
const workers = {
  editorWorkerService: editor.dataset.editor,
  graphql: editor.dataset.graphql,
  json: editor.dataset.json,
};
window.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };

let started = false;

const session = startSession({
  caller: editor.dataset.caller,
  onEnter() {
    waiting.hidden = true;
    if (started) return;
    started = true;
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
