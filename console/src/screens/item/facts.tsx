import { addressOf, itemsAddress } from '../../app/addresses';
import { hasTeams } from '../../app/session';
import { formatDay, formatMoment } from '../../i18n/dates';
import { formatNumber, t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Card } from '../../ui/page';
import { renewingText } from '../types/auto-renew';
import type { ItemDetail } from './item';

/** Lists the item's custom fields: those of its type, and others that it has. */
function fieldsOf({ customFields, category }: ItemDetail) {
  const names = new Map(category?.customFields.map((field) => [field.id, field.name]));
  return customFields
    .filter(({ value }) => value)
    .map(({ id, name, value }) => ({ id, name: names.get(id) ?? name, value }));
}

/** Renders the facts about the item. */
export function ItemFacts({ item }: { readonly item: ItemDetail }) {
  const {
    category,
    renewUntil,
    renewalsLeft,
    timeOfDay,
    team,
    assignedTo,
    tags,
    details,
    effectivePolicy,
    created,
    modified,
  } = item;
  return (
    <Card title={t('item.about')}>
      <dl class="facts">
        <dt>{t('fields.category')}</dt>
        <dd>
          {category ? <a href={addressOf('CATEGORY', category.id)}>{shownName(category.name)}</a> : '–'}
        </dd>
        {hasTeams() && team && (
          <>
            <dt>{t('fields.team')}</dt>
            <dd>{team.name}</dd>
          </>
        )}
        <dt>{t('fields.assignedTo')}</dt>
        <dd>
          {assignedTo ? (
            <a href={itemsAddress({ assigned: assignedTo.id })}>{shownName(assignedTo.name)}</a>
          ) : (
            t('common.nobody')
          )}
        </dd>
        {fieldsOf(item).map(({ id, name, value }) => (
          <Fact key={id} name={name ?? ''} value={value ?? ''} />
        ))}
        {tags.length > 0 && (
          <>
            <dt>{t('fields.tags')}</dt>
            <dd class="line">
              {tags.map(({ id, name }) => (
                <a key={id} class="tag" href={itemsAddress({ tag: id })}>
                  {shownName(name)}
                </a>
              ))}
            </dd>
          </>
        )}
        {effectivePolicy && (
          <>
            <dt>{t('item.reminders')}</dt>
            <dd>
              <a href={addressOf('REMINDER_POLICY', effectivePolicy.policy.id)}>
                {shownName(effectivePolicy.policy.name)}
              </a>{' '}
              <span class="soft small">{t(`item.policy_${effectivePolicy.from}`)}</span>
            </dd>
          </>
        )}
        {timeOfDay && <Fact name={t('fields.EXPIRATION_ITEM_timeOfDay')} value={timeOfDay.slice(0, 5)} />}
        {category?.autoRenew && (
          <>
            <dt>{t('fields.autoRenew')}</dt>
            <dd>{renewingText(category.autoRenew)}</dd>
          </>
        )}
        {renewUntil && <Fact name={t('fields.renewUntil')} value={formatDay(renewUntil)} />}
        {renewalsLeft !== null && <Fact name={t('fields.renewalsLeft')} value={formatNumber(renewalsLeft)} />}
      </dl>
      {details && <p class="pre itemdetails">{details}</p>}
      <p class="soft small itemdetails">
        {t('item.created_on', { date: formatMoment(created) })}
        <br />
        {t('item.changed_on', { date: formatMoment(modified) })}
      </p>
    </Card>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
