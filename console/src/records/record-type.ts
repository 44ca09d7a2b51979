import type { ComponentType, InputHTMLAttributes } from 'preact';
import type { Operation } from '../data/operation';
import type { Find } from '../data/options';
import type { ChangedRecordKind, RecordKind } from '../generated/operations';
import type { Key } from '../i18n/i18n';
import type { Option } from '../ui/combobox';
import type { IconName } from '../ui/icon';

/** Answer of each mutation of a record: documents name it `record`. */
export interface Written {
  readonly record: { readonly id: string } | null;
}

/** Members that screens need of any record. */
export interface Stored {
  readonly id: string;
  readonly version: string;
  readonly team?: { readonly id: string; readonly name: string } | null;
}

/** Values of an input, by its members. */
export type Input = Readonly<Record<string, unknown>>;

/** The documents that write records of a kind. */
export interface RecordOperations {
  // biome-ignore lint/suspicious/noExplicitAny: the gateway checks inputs; forms make them of their fields.
  readonly create: Operation<Written, { input: any }>;
  // biome-ignore lint/suspicious/noExplicitAny: the gateway checks inputs; forms make them of their fields.
  readonly update: Operation<Written, { id: string; ifVersion?: string | null; input: any }>;
  readonly remove: Operation<Written, { id: string; ifVersion?: string | null }>;
  readonly restore: Operation<Written, { id: string }>;
}

/** Properties of the editor of a field of its own kind. */
export interface EditorProps {
  readonly label: string;
  readonly value: unknown;
  /** Mistakes of the whole form, by their paths. */
  readonly violations: ReadonlyMap<string, string> | undefined;
  readonly onChange: (value: unknown) => void;
}

interface FieldBase {
  /** The member of the input, and of the record where it is a value. */
  readonly name: string;
  readonly label: Key;
  readonly hint?: Key;
  readonly isWide?: boolean;
}

/** A field of a record: how it is shown, and how it is filled in. */
export type FieldSpec<Row> =
  | (FieldBase & {
      readonly type: 'text' | 'number' | 'area';
      /** A number that is a name, such as a year. */
      readonly isPlain?: boolean;
      readonly control?: Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onInput'>;
    })
  | (FieldBase & {
      readonly type: 'choice';
      /** One of the choices is always chosen, the first at the beginning. */
      readonly isNeeded?: boolean;
      readonly choices: readonly { readonly value: string; readonly label: Key }[];
    })
  /** A tick. With `isTurned` it stands for false. */
  | (FieldBase & { readonly type: 'check'; readonly isTurned?: boolean })
  | (FieldBase & {
      readonly type: 'record';
      readonly find: Find;
      readonly kind?: RecordKind;
      /** Names the record that is chosen now. */
      readonly chosen: (row: Row) => Option | undefined;
      /** Sends the record as an object with its id. */
      readonly isReference?: boolean;
      /** Says what holds while none is chosen. It is told among the facts, too. */
      readonly otherwise?: (row: Row | undefined) => string;
      /** Words for there being none, where nothing else holds. */
      readonly empty?: Key;
    })
  /** A value that no other kind of field can show. */
  | (FieldBase & {
      readonly type: 'own';
      /** Its words are shown among the facts. */
      readonly isFact?: boolean;
      readonly read: (row: Row | undefined) => unknown;
      // biome-ignore lint/suspicious/noExplicitAny: what `read` makes is what it is given.
      readonly send: (value: any) => unknown;
      // biome-ignore lint/suspicious/noExplicitAny: what `read` makes is what it is given.
      readonly words: (value: any) => string;
      readonly Editor: ComponentType<EditorProps>;
    })
  /** Fields of the record's own, a name and a value each. */
  | (FieldBase & {
      readonly type: 'custom' /** They have names, and values elsewhere. */;
      readonly isNamesOnly?: boolean;
    });

/** Description of a kind of records for lists. */
export interface ListType {
  readonly kind: RecordKind & ChangedRecordKind;
  /** The address of its list. */
  readonly folder: string;
  readonly icon: IconName;
  readonly title: Key;
  /** The words of the button that adds one. */
  readonly add: Key;
  readonly empty: Key;
  readonly emptyText: Key;
}

/** A kind of records, for the screens that list, show and change them. */
export interface RecordType<Row> extends ListType {
  readonly fields: readonly FieldSpec<Row>[];
  readonly nameOf: (row: Row) => string;
  readonly operations: RecordOperations;
  /** Says that the caller may change a record, beside the right to write. */
  readonly canChange?: (row: Row) => boolean;
  readonly canDelete?: (row: Row) => boolean;
  /** Belongs to the organization, and to no workspace. */
  readonly isOutsideTeams?: boolean;
}

/** Returns the address of a record, or of the form for a new one. */
export const recordAddress = ({ folder }: { readonly folder: string }, id: string): string =>
  `${folder}/${encodeURIComponent(id)}`;
