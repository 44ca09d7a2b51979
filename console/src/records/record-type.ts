import type { ComponentChildren, ComponentType, InputHTMLAttributes } from 'preact';
import type { Operation } from '../data/client';
import type { Find } from '../data/options';
import { type Key, t } from '../i18n/i18n';
import type { Option } from '../ui/combobox';

/** Result of each mutation of a record: documents name it `record`. */
export interface Written {
  readonly record: { readonly id: string } | null;
}

/** Fields that screens need of any record. */
export interface Stored {
  readonly id: string;
  readonly name?: string | null;
  readonly version: string;
  readonly team?: { readonly id: string; readonly name: string } | null;
}

/** Values of a form as they are filled in, by the names of its fields. */
export type Draft = Readonly<Record<string, unknown>>;

/** Values of an input, by its members. */
export type Input = Readonly<Record<string, unknown>>;

/** The documents that write records of a kind. */
export interface WritingDocuments {
  readonly create: Operation<Written, { input: Input }>;
  readonly update: Operation<Written, { id: string; ifVersion?: string | null; input: Input }>;
  readonly remove: Operation<Written, { id: string; ifVersion?: string | null }>;
  readonly restore: Operation<Written, { id: string }>;
}

/** Properties of the editor of a custom kind of field. */
export interface EditorProps {
  readonly label: string;
  readonly value: unknown;
  /** Errors of the whole form, by path. */
  readonly violations: ReadonlyMap<string, string> | undefined;
  readonly onChange: (value: unknown) => void;
  /** All that is filled in, for a field that depends on others. */
  readonly draft: Draft;
}

interface FieldBase<Row, Name extends string> {
  /** The member of the input, and of the record if it is a value. */
  readonly name: Name;
  /** Its label, if not that of its name (`labels.ts`). */
  readonly label?: Key;
  /** A hint, which may depend on what is filled in. */
  readonly hint?: Key | ((draft: Draft) => string);
  /** Tells whether it is shown and sent, by what is filled in. Always, if left out. */
  readonly isShown?: (draft: Draft) => boolean;
  /** Renders what was found for the field, to choose from. */
  readonly above?: (value: unknown, choose: (value: unknown) => void) => ComponentChildren;
  /** The card that it is in. Fields of one card follow each other. */
  readonly section?: Key;
  readonly isWide?: boolean;
  /** Renders it among the facts, if not as its type does. False if the page has it elsewhere. */
  readonly fact?: false | ((row: Row) => ComponentChildren);
  /** True for a field about reminders. While none are sent, the field says so. */
  readonly isReminding?: boolean | ((draft: Draft) => boolean);
}

/** One of few values, with its text or the name that it has already. */
type Choice = { readonly value: string } & ({ readonly label: Key } | { readonly words: string });

/** Returns the text of a choice. */
export const choiceText = (choice: Choice): string => ('label' in choice ? t(choice.label) : choice.words);

/** A field of a record: how it is shown, and how it is filled in. */
export type FieldSpec<Row, Name extends string = string> =
  | (FieldBase<Row, Name> & {
      readonly type: 'text' | 'number' | 'area' | 'date' | 'time';
      /** True for a number that is a name, such as a year. */
      readonly isPlain?: boolean;
      readonly control?: Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onInput'>;
    })
  | (FieldBase<Row, Name> & {
      readonly type: 'choice';
      /** True if one of the choices is always selected, initially the first. */
      readonly isNeeded?: boolean;
      readonly choices: readonly Choice[];
    })
  /** Some of few values, with a checkbox each. */
  | (FieldBase<Row, Name> & { readonly type: 'choices'; readonly choices: readonly Choice[] })
  /** A password, which can be shown. It is never among the values of a record. */
  | (FieldBase<Row, Name> & {
      readonly type: 'password';
      readonly autoComplete: 'current-password' | 'new-password';
    })
  /** A checkbox, with the values that it means: checked and unchecked. True and false if left out. */
  | (FieldBase<Row, Name> & {
      readonly type: 'check';
      readonly values?: readonly [checked: unknown, unchecked: unknown];
    })
  | (FieldBase<Row, Name> & {
      readonly type: 'record';
      readonly find: Find;
      /** True if a text that names no record yet can be chosen as well. */
      readonly isOpen?: boolean;
      /** Returns the record that is currently selected. */
      readonly chosen: (row: Row) => Option | undefined;
      /** Sends the record as an object with its id. */
      readonly isReference?: boolean;
      /** Returns what applies if none is selected. It is shown among the facts as well. */
      readonly otherwise?: (row: Row | undefined, draft?: Draft) => string;
      /** Text for no selection, if nothing else applies. */
      readonly empty?: Key;
    })
  /** Several records in order. They are sent as objects with an id, or with a name for one to be created. */
  | (FieldBase<Row, Name> & {
      readonly type: 'records';
      readonly find: Find;
      readonly chosen: (row: Row) => readonly Option[];
      /** True if a text that names no record yet creates one. */
      readonly isOpen?: boolean;
      /** Returns what is sent for a record. An object with its id, if left out. */
      readonly sent?: (option: Option) => unknown;
    })
  /** Files to be sent with a new record. */
  | (FieldBase<Row, Name> & { readonly type: 'files' })
  /** A value that no other kind of field can show. */
  | (FieldBase<Row, Name> & {
      readonly type: 'own';
      readonly read: (row: Row | undefined) => unknown;
      // biome-ignore lint/suspicious/noExplicitAny: what `read` makes is what it is given.
      readonly send: (value: any) => unknown;
      // biome-ignore lint/suspicious/noExplicitAny: what `read` makes is what it is given.
      readonly words: (value: any) => string;
      readonly Editor: ComponentType<EditorProps>;
    })
  /** Custom fields, with a name and a value each. */
  | (FieldBase<Row, Name> & {
      readonly type: 'custom' /** Their labels are elsewhere. */;
      readonly isNamesOnly?: boolean;
      /** True if the document type has named them, and people fill in only values. */
      readonly isValuesOnly?: boolean;
    });

/**
 * A field of a declared kind: its name, or what the form says of it. The gateway's declaration says the rest.
 */
export type DeclaredField<Row, Name extends string> =
  | Name
  | (FieldBase<Row, Name> & {
      readonly type?: Exclude<FieldSpec<Row>['type'], 'own' | 'record' | 'records'>;
      readonly isPlain?: boolean;
      readonly isNeeded?: boolean;
      readonly isNamesOnly?: boolean;
      readonly isValuesOnly?: boolean;
      readonly isOpen?: boolean;
      /** The order of its choices. */
      readonly order?: readonly string[];
      readonly values?: readonly [checked: unknown, unchecked: unknown];
      readonly control?: Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onInput'>;
      readonly find?: Find;
      readonly chosen?: (row: Row) => Option | readonly Option[] | undefined;
      readonly sent?: (option: Option) => unknown;
      readonly otherwise?: (row: Row | undefined, draft?: Draft) => string;
      readonly empty?: Key;
    })
  | Extract<FieldSpec<Row, Name>, { readonly type: 'own' | 'record' | 'records' }>;
