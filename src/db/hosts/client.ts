import pg from 'pg';
import { readHostList } from './host-list.js';
import { type MovableConnection, ServerFinder } from './server-finder.js';

/** SQLSTATE of a write that a standby refuses. */
const READ_ONLY = '25006';

/** The finders of this process, by connection string. All connections of one string share a finder. */
const finders = new Map<string, ServerFinder>();

function finderOf(url: string): ServerFinder | undefined {
  const { servers, wanted } = readHostList(url);
  if (wanted === undefined) return undefined;
  const finder = finders.get(url) ?? new ServerFinder(servers, wanted);
  finders.set(url, finder);
  return finder;
}

/**
 * A connection to the database, whose connection string may name several servers. It is made to the one that
 * has the wanted role, and is dropped when another server takes over. A server that refuses a write because it
 * has become a standby loses the connection, too.
 */
export class DatabaseClient extends pg.Client implements MovableConnection {
  readonly #finder: ServerFinder | undefined;

  constructor(config: pg.ClientConfig & { readonly connectionString: string }) {
    const { connectionString } = config;
    const finder = finderOf(connectionString);
    const [first] = readHostList(connectionString).servers;
    super(finder && first ? { ...config, connectionString: first.url } : config);
    this.#finder = finder;
    // A server may end the session in the packet that accepts it, before its user could listen. An error that
    // nobody listens to would end the process; whoever uses the connection is told by the next statement.
    this.on('error', () => {});
    this.connection.on('errorMessage', ({ code }: { code: string }) => {
      // The statement learns of its error first.
      if (code === READ_ONLY)
        setImmediate(() => this.drop(new Error('Connection terminated: it is a standby')));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#finder ? this.#connectTo(this.#finder) : super.connect();
    if (!callback) return connected.then(() => this);
    // `pg` calls back without an error once it is connected.
    const succeed = callback as () => void;
    void connected.then(() => succeed(), callback);
    return undefined;
  }

  drop(reason: Error): void {
    this.connection.stream.destroy(reason);
  }

  async #connectTo(finder: ServerFinder): Promise<void> {
    const server = await finder.find();
    // The pool does that if it takes too long.
    if (this.connection.stream.destroyed) throw new Error('Connection terminated due to connection timeout');
    this.host = server.host;
    this.port = server.port;
    this.once('end', () => finder.leave(this));
    try {
      await super.connect();
      finder.follow(this, server);
    } catch (error) {
      finder.doubt(server);
      throw error;
    }
  }
}
