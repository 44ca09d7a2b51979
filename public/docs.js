import { byId } from './elements.js';
import { startSession } from './sign-in.js';

const reference = byId('reference');
const scheme = 'accessToken';

/** The token that Swagger UI has; the page and its dialog tell each other of another one. */
let known;

const session = startSession({
  caller: reference.dataset.caller,
  onEnter(token) {
    if (token === known) return;
    known = token;
    ready.then((ui) => ui.preauthorizeApiKey(scheme, token));
  },
  onLeave() {
    if (known === undefined) return;
    known = undefined;
    ready.then((ui) => ui.authActions.logout([scheme]));
  },
});

const tellingSession = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (original) => (payload) => {
          const token = payload[scheme]?.value;
          if (token && token !== known) {
            known = token;
            session.enter(token);
          }
          return original(payload);
        },
        logout: (original) => (names) => {
          if (known !== undefined) session.leave();
          return original(names);
        },
      },
    },
  },
});

/** Gives the fields of parameters their names, which Swagger UI shows beside them only. */
const namedFields = () => {
  const named =
    (Field, { React }) =>
    (props) =>
      React.createElement(
        'label',
        null,
        React.createElement('span', { className: 'for-screen-readers' }, props.description),
        React.createElement(Field, props),
      );
  return { wrapComponents: { JsonSchema_boolean: named, JsonSchema_string: named } };
};

const ready = new Promise((resolve) => {
  // No validator: it would be asked at an outside host.
  const ui = window.SwaggerUIBundle({
    url: reference.dataset.document,
    domNode: reference,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    plugins: [tellingSession, namedFields],
    onComplete: () => resolve(ui),
  });
});
