/** A server that a connection string names. */
export interface NamedServer {
  /** Host and port, as messages show them. */
  readonly place: string;
  readonly host: string;
  readonly port: number;
  /** Connection string of this server alone. */
  readonly url: string;
}

/** Kind of server that connections are made to. */
export type WantedRole = 'primary' | 'standby';

/** The servers of a connection string. */
export interface HostList {
  readonly servers: readonly NamedServer[];
  /** Undefined if the only server is taken as it is. */
  readonly wanted: WantedRole | undefined;
}

/** Values of `target_session_attrs` and the servers that they ask for. */
export const sessionAttributes: Readonly<Record<WantedRole, readonly string[]>> = {
  primary: ['read-write', 'primary'],
  standby: ['standby', 'prefer-standby', 'read-only'],
};

/** Scheme, user and password, hosts with ports, path, parameters. */
const parts = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^?]*)(?:\?(.*))?$/is;

const address = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/;

/**
 * Reads the servers of a connection string, which may name several as libpq does. They stand in place of the
 * host (`a:5432,b:5433`) or in the parameters `host` and `port`.
 */
export function readHostList(url: string): HostList {
  const [, scheme = '', user = '', authority = '', path = '', query = ''] = parts.exec(url) ?? [];
  const params = new URLSearchParams(query);
  const attributes = params.get('target_session_attrs');
  const names = (params.get('host') ?? authority).split(',');
  const ports = (params.get('port') ?? '').split(',');
  if (names.length === 1 && attributes === null) {
    return { servers: [serverOf(url, names[0] ?? '', ports[0])], wanted: undefined };
  }
  for (const name of ['host', 'port', 'target_session_attrs']) params.delete(name);
  const servers = names.map((name, index) => {
    const port = ports.length === 1 ? ports[0] : ports[index];
    const own = new URLSearchParams(params);
    const isSocket = name.startsWith('/');
    if (isSocket) own.set('host', name);
    if (port) own.set('port', port);
    const rest = own.size > 0 ? `?${own}` : '';
    return serverOf(`${scheme}${user}${isSocket ? '' : name}${path}${rest}`, name, port);
  });
  const wanted = sessionAttributes.standby.includes(attributes ?? '') ? 'standby' : 'primary';
  return { servers, wanted };
}

function serverOf(url: string, name: string, given: string | undefined): NamedServer {
  const isSocket = name.startsWith('/') || /^%2f/i.test(name);
  const [, host = '', own] = isSocket ? [name, decodeURIComponent(name)] : (address.exec(name) ?? []);
  const port = Number(given || own || 5432);
  const bare = host.replace(/^\[(.*)\]$/, '$1') || 'localhost';
  return { url, host: bare, port, place: given || own ? `${host || 'localhost'}:${port}` : bare };
}

/** Returns a connection string that names the role of its servers. One server without a role stays as it is. */
export function withWantedRole(url: string, role: WantedRole): string {
  if (/[?&]target_session_attrs=/.test(url) || readHostList(url).servers.length === 1) return url;
  return `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=${sessionAttributes[role][0]}`;
}
