import { addressOf } from '../app/addresses';
import type { CheckedFragment, ComplianceState, HolderKind, RequirementState } from '../generated/types';
import { formatDay } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import type { Wanted } from '../requests/people';
import { Icon, type IconName } from '../ui/icon';
import type { Urgency } from '../ui/status';

/** The state of a requirement, with the item that decides. */
export type Check = CheckedFragment;

/** A requirement, as far as its checks name it. */
export interface Required {
  readonly id: string;
  readonly name: string | null;
  readonly categories: readonly { readonly id: string }[];
}

/** A record that must have documents. */
export interface CheckedHolder {
  readonly kind: HolderKind;
  readonly id: string;
  /** Its workspace, where its documents are filed. */
  readonly team: { readonly id: string } | null;
}

interface Look {
  readonly icon: IconName;
  readonly urgency: Urgency;
}

const checkLooks: Readonly<Record<RequirementState, Look>> = {
  MET: { icon: 'check', urgency: 'good' },
  DUE: { icon: 'clock', urgency: 'near' },
  PENDING: { icon: 'clock', urgency: 'near' },
  EXEMPT: { icon: 'star', urgency: 'plain' },
  EXPIRED: { icon: 'warning', urgency: 'late' },
  MISSING: { icon: 'file', urgency: 'late' },
};

/** Looks of the states of records, the worst first. */
export const stateLooks: Readonly<Record<ComplianceState, Look>> = {
  NON_COMPLIANT: { icon: 'warning', urgency: 'late' },
  DUE: { icon: 'clock', urgency: 'near' },
  COMPLIANT: { icon: 'check', urgency: 'good' },
  NOT_REQUIRED: { icon: 'more', urgency: 'plain' },
};

/** The states of records, the worst first. */
export const states = Object.keys(stateLooks) as ComplianceState[];

/** Tells whether a document should be added. */
export const isLacking = ({ state }: Check) =>
  state === 'MISSING' || state === 'EXPIRED' || state === 'PENDING';

/** Returns the state of a requirement in words. */
export const checkText = ({ state, isTooShort }: Check) =>
  t(isTooShort ? 'compliance.TOO_SHORT' : `compliance.${state}`);

/** Returns the day of a state. It is when its item expires, or else the last day of the state. */
export const dayOfCheck = ({ item, state, until }: Check) =>
  state === 'EXEMPT' ? until : (item?.expirationDate ?? until);

/** Returns the date of a check in words. */
export function dateText(check: Check): string {
  const day = dayOfCheck(check);
  return day ? formatDay(day) : '';
}

/** Returns the address of the form for a new document of a record. */
export function addingAddress({ kind, id, team }: CheckedHolder, required?: Required): string {
  const [type] = required?.categories ?? [];
  return `/items/new?${new URLSearchParams({
    holder: `${kind}:${id}`,
    ...(team && { team: team.id }),
    ...(type && { type: type.id }),
  })}`;
}

/** Tells whether somebody can be asked for a document. */
export const isAskable = (check: Check) => isLacking(check) || check.state === 'DUE';

/**
 * Returns the document that a record lacks, to ask somebody for it. Undefined if its type is unknown. An item of another
 * workspace is not renewed for the record: a document of the type is asked for.
 */
export function wantedOf(
  { kind, id, team }: CheckedHolder,
  { item }: Check,
  required: Required,
): Wanted | undefined {
  const [type] = required.categories;
  const isHere = item && (!team || item.team?.id === team.id);
  const subject = isHere ? { expirationItemId: item.id } : type && { categoryId: type.id };
  return (
    subject && {
      name: shownName(required.name),
      input: { ...subject, holderKind: kind, holderId: id, requirementId: required.id },
      from: [id],
    }
  );
}

/** Returns the address of the item that decides, if the person may see it. */
export const itemAddress = ({ item }: Check) => item && addressOf('EXPIRATION_ITEM', item.id);

/** Returns how the state of a requirement looks. */
export const lookOf = ({ state }: Check) => checkLooks[state];

/** Renders the state of a requirement as a word and a sign. */
export function CheckState({ check }: { readonly check: Check }) {
  const { icon, urgency } = lookOf(check);
  return (
    <span class={`badge ${urgency}`}>
      <Icon name={icon} />
      {checkText(check)}
    </span>
  );
}

/** Renders the state of a record as a word and a sign. */
export function HolderState({ state }: { readonly state: ComplianceState }) {
  const { icon, urgency } = stateLooks[state];
  return (
    <span class={`badge ${urgency}`}>
      <Icon name={icon} />
      {t(`compliance.state_${state}`)}
    </span>
  );
}
