import { computed, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ChangedRecordKind } from '../generated/types';
import { type Operation, type Outcome, request } from './client';
import { type Fault, faultOf } from './fault';
import { findAnswer, isKeeping, keepAnswer } from './keeping';
import { follow } from './live';

/** State of a query, for the screen that runs it. */
export interface Query<Data> {
  /** The last result, even while it is reloaded. */
  readonly data: Data | undefined;
  readonly fault: Fault | undefined;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

/**
 * Runs a query, and again when records of the kinds that it shows change.
 * @param operation undefined runs nothing
 */
export function useQuery<Data, Variables>(
  operation: Operation<Data, Variables> | undefined,
  variables: Variables,
): Query<Data> {
  const key = operation ? `${operation.id}${JSON.stringify(variables)}` : '';
  const answer = useAnswer(key, () => {
    const kinds = operation?.kinds ?? [];
    return new Answer<Data>(
      kinds,
      (signal) => request(operation as Operation<Data, Variables>, variables, signal),
      operation?.isKept ? key : undefined,
    );
  });
  const { data, fault } = answer.known.value;
  const isLoading = operation !== undefined && data === undefined && fault === undefined;
  return { data, fault, isLoading, reload: () => answer.refresh() };
}

/** The last data of an answer, and why reading it again has failed. */
interface Known<Data> {
  readonly data: Data | undefined;
  readonly fault: Fault | undefined;
  /** Time at which the data was read, in milliseconds. It is there without a connection to read it again. */
  readonly readAt?: number;
}

/** Reads an answer. It may use the data of before, if there is any. */
type Read<Data> = (signal: AbortSignal, before: Data | undefined) => Promise<Outcome<Data>>;

const nothing = { data: undefined, fault: undefined };
/** The longest pause between two readings that only changes ask for. */
const longestRest = 5000;

/** An answer of the gateway, which all parts share that ask the same. */
export class Answer<Data> {
  readonly known: Signal<Known<Data>> = signal<Known<Data>>(nothing);
  readonly #kinds: readonly ChangedRecordKind[];
  readonly #read: Read<Data>;
  #users = 0;
  #unfollow = (): void => {};
  #running: AbortController | undefined;
  #latest: Promise<void> = Promise.resolve();
  #rest: ReturnType<typeof setTimeout> | undefined;
  #isOutdated = false;
  readonly #key: string | undefined;
  /** Time at which the gateway sent the data, in milliseconds. */
  #readAt = 0;

  /**
   * @param kinds the kinds of records after whose changes it is read again
   * @param key stands for it among the answers that this browser keeps; undefined keeps it in memory only
   */
  constructor(kinds: readonly ChangedRecordKind[], read: Read<Data>, key?: string) {
    this.#kinds = kinds;
    this.#read = read;
    this.#key = key;
  }

  get isUsed(): boolean {
    return this.#users > 0;
  }

  /** Keeps it up to date. Only the first part that uses it reads it. @returns what ends the use */
  use(): () => void {
    this.#users++;
    if (this.#users === 1) {
      this.#unfollow = follow(
        this.#kinds,
        () => this.#changed(),
        () => this.known.peek().fault !== undefined || this.known.peek().readAt !== undefined,
      );
      used.value = [...used.peek(), this as Answer<unknown>];
      void this.refresh();
    }
    return () => {
      this.#users--;
      if (this.isUsed) return;
      this.#unfollow();
      used.value = used.peek().filter((one) => one !== this);
      this.#stop();
    };
  }

  /**
   * Reads it now, in place of a reading that has begun. So what began later is never overwritten. The promise waits until
   * nothing is read any more.
   */
  refresh(read: Read<Data> = this.#read): Promise<void> {
    this.#stop();
    this.#latest = this.#run(read);
    return this.#latest;
  }

  /** Forgets the data, because the next person to sign in may not see it. */
  forget(): void {
    this.#stop();
    this.known.value = nothing;
  }

  /** Takes what the gateway has sent, and keeps it. */
  #take(data: Data): Known<Data> {
    this.#readAt = Date.now();
    if (this.#key !== undefined) void keepAnswer(this.#key, data);
    return { data, fault: undefined };
  }

  /** Returns what there is without the gateway's answer. Without a connection, it is what was read before. */
  async #without(data: Data | undefined, fault: Fault): Promise<Known<Data>> {
    if (fault.kind !== 'offline' || !isKeeping()) return { data, fault };
    if (data !== undefined)
      return { data, fault: undefined, readAt: this.known.peek().readAt ?? this.#readAt };
    const found = this.#key === undefined ? undefined : await findAnswer(this.#key);
    if (found) return { data: found.data as Data, fault: undefined, readAt: found.at };
    return { data, fault: { ...faultOf('offline'), reason: 'NOT_KEPT' } };
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    clearTimeout(this.#rest);
    this.#rest = undefined;
    this.#isOutdated = false;
  }

  /** Reads it again after a change. A reading that runs is finished first, so that many changes stop none. */
  #changed(): void {
    if (this.#running || this.#rest !== undefined) this.#isOutdated = true;
    else void this.refresh();
  }

  async #run(read: Read<Data>): Promise<void> {
    const abort = new AbortController();
    this.#running = abort;
    const began = Date.now();
    const { data } = this.known.peek();
    const outcome = await read(abort.signal, data);
    if (abort.signal.aborted) {
      if (this.#running) await this.#latest;
      return;
    }
    const known = outcome.ok ? this.#take(outcome.data) : await this.#without(data, outcome.fault);
    if (abort.signal.aborted) {
      if (this.#running) await this.#latest;
      return;
    }
    this.known.value = known;
    this.#running = undefined;
    // What takes long is read at most half of the time.
    this.#rest = setTimeout(
      () => {
        this.#rest = undefined;
        if (this.#isOutdated) void this.refresh();
      },
      Math.min(longestRest, Date.now() - began),
    );
  }
}

/** The answers that are shown. */
const used = signal<readonly Answer<unknown>[]>([]);

/** Time at which the oldest answer shown without a connection was read. It is in milliseconds; undefined if none is. */
export const shownFrom = computed(() => {
  const moments = used.value.flatMap(({ known }) => known.value.readAt ?? []);
  return moments.length > 0 ? Math.min(...moments) : undefined;
});

/** All answers by what they are asked with, the latest last. Those that nobody uses are shown at once on "back". */
const answers = new Map<string, Answer<unknown>>();
const mostUnused = 50;

function answerOf<Data>(key: string, create: () => Answer<Data>): Answer<Data> {
  // A key stands for one operation and its variables, and so for one type.
  const answer = (answers.get(key) as Answer<Data> | undefined) ?? create();
  answers.delete(key);
  answers.set(key, answer as Answer<unknown>);
  const unused = [...answers].filter(([, { isUsed }]) => !isUsed);
  for (const [old] of unused.slice(0, Math.max(0, unused.length - mostUnused))) answers.delete(old);
  return answer;
}

/** Forgets all answers, because the next person to sign in may not see them. */
export function forgetAnswers(): void {
  for (const answer of answers.values()) answer.forget();
  answers.clear();
}

/** Uses the answer that a key stands for, as long as the component shows it. An empty key asks nothing. */
export function useAnswer<Data>(key: string, create: () => Answer<Data>): Answer<Data> {
  const answer = useMemo(() => (key ? answerOf(key, create) : create()), [key]);
  useEffect(() => (key ? answer.use() : undefined), [answer]);
  return answer;
}
