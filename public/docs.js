import { byId, startSession } from './tool.js';

const reference = byId('reference');

const session = startSession({ isNeeded: false, onEnter() {} });

/** Hides Swagger UI's own sign-in. People sign in above, for all operations. */
const withoutAuthorize = () => ({
  wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null },
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

/**
 * Renders all operations. Swagger UI renders those of a long list only while they are in the window, where a browser's search,
 * printing and addresses of operations do not find them.
 */
const wholeList = () => {
  const whole =
    (_Virtual, { React }) =>
    ({ specSelectors, getComponent, ...props }) => {
      const Tag = getComponent('OperationTag');
      const Operation = getComponent('OperationContainer', true);
      const operationsOf = (group, tag) =>
        group
          .get('operations')
          .map((op) => {
            const [path, method, specPath] = ['path', 'method', 'specPath'].map((name) => op.get(name));
            const key = `${method} ${path}`;
            return React.createElement(Operation, { key, op, path, method, specPath, tag });
          })
          .toArray();
      const groups = specSelectors.taggedOperations().entrySeq().toArray();
      return groups.map(([tag, tagObj]) =>
        React.createElement(
          Tag,
          { ...props, key: tag, getComponent, tag, tagObj, specUrl: specSelectors.url() },
          React.createElement('div', { className: 'operation-tag-content' }, operationsOf(tagObj, tag)),
        ),
      );
    };
  return { wrapComponents: { operations: whole } };
};

/** Offers all media types of request bodies. The document has one in `content`, for client generators. */
function withAllBodies(document) {
  for (const { requestBody } of Object.values(document.paths).flatMap(Object.values))
    if (requestBody) Object.assign(requestBody.content, requestBody['x-also-accepted']);
  return document;
}

// No validator: it would be asked at an outside host.
window.SwaggerUIBundle({
  url: reference.dataset.document,
  domNode: reference,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  plugins: [withoutAuthorize, namedFields, wholeList],
  requestInterceptor(request) {
    if (!request.loadSpec) Object.assign(request.headers, session.headers);
    return request;
  },
  responseInterceptor(response) {
    if (response.status === 401) session.end();
    if (response.url.endsWith(reference.dataset.document))
      response.text = JSON.stringify(withAllBodies(JSON.parse(response.text)));
    return response;
  },
});
