import { paths } from '../../domain/doors/paths.js';

/** Features of a gateway that its pages link to or mention. */
export interface PageMode {
  /** True if browsers get a working editor. */
  readonly editor: boolean;
  /** True if tokens of an OpenID Connect issuer are accepted. */
  readonly issuer: boolean;
}

/** GraphQL query for the caller of a token. Pages send it first. */
export const callerQuery = 'query Caller { me { name email role } }';

/** GraphQL query of the start page: items that expire soon or have expired. */
export const startPageQuery = `query StartPageItems($first: Int!, $days: Int!) {
  me { teams { id name timezone } }
  expirationSummary { byStatus { status count } }
  expired: expirationItems(filter: { status: [EXPIRED] }, orderBy: { field: EXPIRATION_DATE, direction: DESC }, first: $first) {
    totalCount
    nodes { ...row }
  }
  expiring: expirationItems(filter: { status: [CURRENT, NOTIFYING, MISSING], expiresWithinDays: $days }, first: $first) {
    totalCount
    nodes { ...row }
  }
}
fragment row on ExpirationItem { id name status categoryName expirationDate teamId }`;

/** Addresses of the files that a page loads. */
export interface PageFiles {
  /** The script that sets the theme before anything is shown. */
  readonly theme: string;
  readonly styles: readonly string[];
  /** Loaded in this order: third-party scripts as they are; our own as modules. */
  readonly scripts?: readonly string[];
  readonly modules?: readonly string[];
}

interface Page extends PageFiles {
  readonly title: string;
  /** The path of its link in the bar. */
  readonly path?: string;
  /** CSS class that sets the width. */
  readonly layout: 'reading' | 'tool';
  /** The element around the body. A body with a main landmark of its own needs a `div`. */
  readonly main?: 'main' | 'div';
  /** HTML beside the links in the bar. */
  readonly session?: string;
  readonly body: string;
}

const links = ({ editor }: PageMode): [path: string, text: string][] => [
  [paths.start, 'Overview'],
  ...(editor ? [[paths.graphql, 'GraphQL'] as [string, string]] : []),
  [paths.docs, 'REST'],
];

const logo =
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" class="logo-ground"/><path d="M16 7a9 9 0 1 0 9 9" class="logo-line"/><path d="M16 11v5l3.5 3" class="logo-line"/><circle cx="23" cy="9" r="2.6" class="logo-dot"/></svg>';

/** Renders a page with the navigation bar. */
export function render(
  mode: PageMode,
  { title, path, layout, main = 'main', session = '', body, ...files }: Page,
): string {
  const items = links(mode).map(
    ([to, text]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ''}>${text}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<script src="${files.theme}"></script>
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${files.styles.map((style) => `<link rel="stylesheet" href="${style}">`).join('\n')}
${[
  ...(files.scripts ?? []).map((script) => `<script src="${script}" defer></script>`),
  ...(files.modules ?? []).map((module) => `<script src="${module}" type="module"></script>`),
].join('\n')}
</head>
<body class="${layout}">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/">${logo}<span>Expiration gateway</span></a>
<nav aria-label="Pages">${items.join('')}</nav>
<div class="session">${session}<div id="caller" hidden><span id="caller-name"></span><button type="button" id="sign-out">Sign out</button></div></div>
</header>
<${main} id="main" tabindex="-1">
${body}
</${main}>
</body>
</html>
`;
}

/** The sign-in form. The module sign-in.js of each page finds its parts by their ids. */
const signInForm = `<form id="sign-in" hidden>
<label for="token">Access token</label>
<input id="token" name="token" type="password" required autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="sign-in-problem" placeholder="egw_…">
<button>Sign in</button>
<p id="sign-in-problem" role="alert"></p>
</form>`;

const withoutScripts =
  '<noscript><p class="note">This page needs JavaScript. The gateway itself does not: see the links above.</p></noscript>';

const create = (command: string) =>
  `<pre><code>${command} token create <span class="whole">--name me</span> <span class="whole">--role admin</span></code></pre>`;

/** Renders a list of items, which the module items.js fills. */
const itemList = (
  id: string,
  heading: string,
) => `<section id="${id}" class="card" aria-labelledby="${id}-heading">
<div class="heading">${heading}</div>
<table hidden><thead><tr><th scope="col">Item</th><th scope="col" class="wide">Type</th><th scope="col" class="wide">Date</th><th scope="col">Left</th></tr></thead><tbody></tbody></table>
<p class="hint"></p>
<button type="button" class="quiet" hidden>Show more</button>
</section>`;

/** Renders the start page. */
export function startPage(mode: PageMode, files: PageFiles): string {
  return render(mode, {
    ...files,
    title: 'Expiration gateway',
    path: paths.start,
    layout: 'reading',
    body: `${withoutScripts}
<div id="welcome" hidden>
<h1>Know what expires before it does</h1>
<p class="lead">This gateway tracks things that expire: documents, licences, vehicles' papers.</p>
<div class="columns">
<section class="card" aria-labelledby="sign-in-heading">
<h2 id="sign-in-heading">Sign in</h2>
${signInForm}
<p class="hint">The token is kept in this tab alone, until the tab is closed or you sign out.</p>
</section>
<section class="card" aria-labelledby="token-heading">
<h2 id="token-heading">Where the token comes from</h2>
<p>The gateway's <strong>first start</strong> shows an admin token, only once: in a terminal as a link that signs in, else as a line on stderr. This command makes another, in the gateway's folder:</p>
${create('node dist/main.js')}
<p>Where it is installed as a package:</p>
${create('npx expiration-gateway')}
<p>With Docker Compose:</p>
${create('docker compose exec gateway node dist/main.js')}
${mode.issuer ? '<p>An access token of your OpenID Connect issuer will do, too.</p>' : ''}
</section>
</div>
</div>
<div id="overview" data-caller="${callerQuery}" data-items="${startPageQuery}" hidden>
<div class="heading"><h1 id="overview-heading" tabindex="-1">What expires</h1><button type="button" id="refresh" class="quiet">Refresh</button></div>
<p id="told" class="hint" role="status"></p>
<p id="problem" class="note bad" role="alert" hidden></p>
<div id="items" hidden>
<dl id="counts" class="tiles"></dl>
${itemList('expired', '<h2 id="expired-heading">Expired</h2>')}
${itemList(
  'expiring',
  `<h2 id="expiring-heading">Expiring soon</h2><label class="within">Within <select id="days"><option value="7">7 days</option><option value="30" selected>30 days</option><option value="90">90 days</option><option value="365">a year</option></select></label>`,
)}
</div>
</div>
<footer><a href="${paths.openapi}">OpenAPI document</a><a href="${paths.openapiYaml}">as YAML</a><a href="${paths.ready}">Health</a></footer>`,
  });
}

/** Addresses of the GraphQL editor's web workers. */
export interface EditorWorkers {
  readonly editor: string;
  readonly graphql: string;
  readonly json: string;
}

/** Renders the page of the GraphQL editor (GraphiQL), which starts after sign-in. */
export function editorPage(mode: PageMode, files: PageFiles, workers: EditorWorkers): string {
  const data = Object.entries(workers).map(([name, address]) => ` data-${name}="${address}"`);
  return render(mode, {
    ...files,
    title: 'GraphQL · Expiration gateway',
    path: paths.graphql,
    layout: 'tool',
    session: signInForm,
    body: `<h1 class="unseen">GraphQL editor</h1>
${withoutScripts}
<div id="waiting" class="note" hidden><p><strong>Sign in with an access token</strong> to load the schema and to send operations.</p><p>Nothing is sent before. <a href="/">Where the token comes from</a></p></div>
<div id="editor" data-caller="${callerQuery}"${data.join('')}></div>`,
  });
}

/** Renders the page of the REST reference. */
export function referencePage(mode: PageMode, files: PageFiles): string {
  return render(mode, {
    ...files,
    title: 'REST · Expiration gateway',
    path: paths.docs,
    layout: 'tool',
    main: 'div',
    session: signInForm,
    body: `${withoutScripts}
<div id="reference" data-caller="${callerQuery}" data-document="${paths.openapi}"></div>`,
  });
}

/** Texts of an HTML error page. */
export interface ErrorPageTexts {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** Renders an error page that links to the start page. It shows nothing that the client sent. */
export function refusalPage({ status, title, text }: ErrorPageTexts, files: PageFiles): string {
  return render(
    { editor: false, issuer: false },
    {
      ...files,
      title: `${title} · Expiration gateway`,
      layout: 'reading',
      body: `<div class="refusal">
<p class="status">${status}</p>
<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a class="button" href="/">Go to the start page</a></p>
</div>`,
    },
  );
}
