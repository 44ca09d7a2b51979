import type { ComponentChildren, ComponentType } from 'preact';
import type { Operation } from '../data/client';
import type { Cell } from '../data/csv';
import type { Find } from '../data/options';
import type { Page } from '../data/pages';
import { type Key, t } from '../i18n/i18n';
import type { Choice } from '../ui/field';
import type { IconName } from '../ui/icon';

/** A row of a list, which knows it by its id. */
export interface Identified {
  readonly id: string;
}

/** A column of a list: its text on the screen and in a file. */
export interface Column<Row, Field extends string = string> {
  readonly label: Key;
  /** Its head, if that is the name of a custom field. */
  readonly title?: string;
  /** Its name in addresses. By default that of its order, or else the end of its label. */
  readonly name?: string;
  /** Fields that it shows, if its label is not theirs. They need no columns of their own. */
  readonly of?: readonly string[];
  /** The gateway's field to order by. */
  readonly order?: Field;
  readonly text: (row: Row) => string | number | null | undefined;
  /** Its value in a file, if not the text. */
  readonly file?: (row: Row) => Cell;
  /** Its values in a file, each in a column with its name. */
  readonly fileColumns?: (row: Row) => Readonly<Record<string, Cell>>;
  /** Renders the cell if text is not enough. `reload` reads the list again. */
  readonly draw?: (row: Row, reload: () => unknown) => ComponentChildren;
  /** Its layout. A phone hides `roomy`, and gives `below` a line of its own; `figure` is at the end. */
  readonly class?: string;
  /** Limits the column to a file. */
  readonly only?: 'file';
  /** True if it is shown only to those who have chosen it. */
  readonly isOptional?: true;
  /** Tells whether the person may see it. Everybody may, if left out. */
  readonly isFor?: () => boolean;
  /** The variable with which the document fetches it. Without it, the column is always fetched. */
  readonly include?: string;
}

/** The order of a list, as the gateway takes it. */
export interface Order<Field extends string = string> {
  readonly field: Field;
  readonly direction?: 'ASC' | 'DESC' | undefined;
}

/** A condition on rows, as every filter of the gateway has it. */
export interface Conditions<Condition> {
  readonly term?: string | null | undefined;
  readonly and?: readonly Condition[] | null | undefined;
}

interface FilterBase<Condition> {
  /** Its parameter in the address. */
  readonly name: string;
  readonly label: Key;
  /** Returns the condition for a value; undefined if there is no such value. Empty is for none. */
  readonly where: (value: string) => Condition | undefined;
}

/** A filter of a list, which the address keeps. */
export type Filter<Condition> =
  | (FilterBase<Condition> & {
      /** Tabs, a field beside the search, or one of the menu of filters. */
      readonly type: 'tabs' | 'bar' | 'choice';
      /** The values, with their texts. The first is for none. */
      readonly choices: () => readonly Choice<string>[];
    })
  | (FilterBase<Condition> & { readonly type: 'check' })
  | (FilterBase<Condition> & { readonly type: 'date'; readonly chip: Key })
  | (FilterBase<Condition> & { readonly type: 'text'; readonly hint: Key })
  /** By an id that only links have. Its label says which rows these are. */
  | (FilterBase<Condition> & { readonly type: 'linked' })
  | (FilterBase<Condition> & {
      readonly type: 'record';
      readonly find: Find;
      /** The text for `none`: rows without such a record. */
      readonly none?: Key;
      /** The text for `me`: rows with the person who looks. */
      readonly me?: Key;
      /** True if it takes several values, of which any will do. The address has them with commas. */
      readonly isMany?: boolean;
      readonly isShown?: () => boolean;
    });

interface DialogProps {
  readonly onClose: () => void;
  /** Closes the dialog, and reads the list again. */
  readonly onDone: () => void;
}

/** An action on a row: its button acts at once or opens a dialog. */
export interface RowAction<Row> {
  readonly icon: IconName | ((row: Row) => IconName);
  readonly label: Key | ((row: Row) => Key);
  readonly isFor?: (row: Row) => boolean;
  readonly run?: (row: Row) => unknown;
  readonly Dialog?: ComponentType<DialogProps & { readonly row: Row; readonly reload: () => unknown }>;
}

/** An action on all selected rows. */
export interface BulkAction<Row> {
  readonly icon: IconName;
  readonly label: (rows: readonly Row[]) => Key;
  /** Does it at once. @returns whether it succeeded */
  readonly run?: (rows: readonly Row[]) => Promise<boolean>;
  /** Asks more before it is done. */
  readonly Dialog?: ComponentType<DialogProps & { readonly rows: readonly Row[] }>;
}

/** The way to add a row: at an address, or in a dialog. */
export interface Adding {
  readonly label: Key;
  readonly isAllowed: () => boolean;
  readonly href?: string;
  readonly Dialog?: ComponentType<DialogProps & { readonly reload: () => unknown }>;
}

/** Variables of the documents that lists read. */
export interface ListVariables<Condition, Field extends string> {
  filter?: Condition | null | undefined;
  orderBy?: readonly Order<Field>[] | Order<Field> | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** Returns the variables that fetch these columns. */
export const including = <Row>(columns: readonly Column<Row>[]): Readonly<Record<string, true>> =>
  Object.fromEntries(columns.flatMap(({ include }) => (include ? [[include, true]] : [])));

/** The declaration of a list. */
export interface ListSpec<
  Row extends Identified,
  Condition extends Conditions<Condition>,
  Field extends string,
> {
  /** Its name in files, and for what the browser keeps of it. */
  readonly name: string;
  readonly title: Key;
  readonly operation: Operation<{ readonly list: Page<Row> }, ListVariables<Condition, Field>>;
  /** The first has the names of rows. */
  readonly columns: readonly Column<Row, Field>[];
  /** The order until somebody chooses another. Its further fields order ties. */
  readonly order: readonly Order<Field>[];
  readonly filters?: readonly Filter<Condition>[];
  readonly hrefOf?: (row: Row) => string;
  readonly add?: Adding;
  readonly rowActions?: readonly RowAction<Row>[];
  readonly bulkActions?: readonly BulkAction<Row>[];
  readonly empty: {
    readonly icon: IconName;
    readonly title: Key;
    readonly text?: Key;
    /** The title if filters leave nothing. */
    readonly notFound?: Key;
  };
}

/** Returns the head of a column. */
export const headOf = <Row>({ title, label }: Pick<Column<Row>, 'title' | 'label'>): string =>
  title ?? t(label);

/** Returns the name of a column in addresses. */
export const nameOf = <Row>({ name, order, label }: Column<Row>): string =>
  name ?? order?.toLowerCase() ?? label.replace(/^.*\./, '');
