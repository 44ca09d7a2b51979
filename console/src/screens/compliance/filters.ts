import { hasTeams } from '../../app/session';
import { type Required, states } from '../../compliance/checks';
import { findLocations, findTeams } from '../../data/options';
import type { CompliancesFilter } from '../../generated/types';
import { addDays, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import type { Filter } from '../../list/declare';
import { holderKinds } from '../../records/holders';

/** Returns the filters of the matrix, which the address keeps. @param required the requirements to choose from */
export const filtersOf = (required: readonly Required[]): readonly Filter<CompliancesFilter>[] => [
  {
    type: 'tabs',
    name: 'kind',
    label: 'fields.holderKind',
    choices: () => [],
    // The screen has them as tabs.
    where: (kind) => (kind === '' || holderKinds.some((one) => one === kind) ? {} : undefined),
  },
  {
    type: 'bar',
    name: 'state',
    label: 'fields.status',
    where: (wanted) => {
      const state = states.find((one) => one === wanted);
      return state ? { state } : wanted === '' ? {} : undefined;
    },
    choices: () => [
      { value: '', label: t('compliance.any_state') },
      ...states.map((value) => ({ value, label: t(`compliance.state_${value}`) })),
    ],
  },
  {
    type: 'record',
    name: 'requirement',
    label: 'compliance.not_met',
    find: async (term) =>
      required
        .filter(({ name }) => name?.toLowerCase().includes(term.toLowerCase()))
        .map(({ id, name }) => ({ id, label: shownName(name) })),
    where: (requirementId) => (requirementId ? { requirementId } : {}),
  },
  {
    type: 'choice',
    name: 'within',
    label: 'compliance.lapses',
    where: (days) => {
      if (days === '') return {};
      return /^\d{1,4}$/.test(days) ? { until: { lte: addDays(today(), Number(days)) } } : undefined;
    },
    choices: () => [
      { value: '', label: t('compliance.any_day') },
      ...[7, 30, 60, 90].map((n) => ({ value: String(n), label: t('start.within', { n }) })),
    ],
  },
  {
    type: 'record',
    name: 'location',
    label: 'fields.location',
    find: findLocations,
    where: (locationId) => (locationId ? { locationId } : {}),
  },
  {
    type: 'record',
    name: 'team',
    label: 'fields.team',
    find: findTeams,
    isShown: hasTeams,
    where: (teamId) => (teamId ? { teamId } : {}),
  },
];
