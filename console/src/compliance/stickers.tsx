import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { question } from '../app/leaving';
import { useQuery } from '../data/answers';
import { request } from '../data/client';
import { MakeSticker, MakeStickers, RevokeSticker, StickersHere } from '../generated/operations/compliance';
import type { HolderKind, StickerFragment } from '../generated/types';
import { formatMoment } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { joinNames, shownName, visibleName } from '../i18n/names';
import { Form } from '../records/form/form';
import { Button, IconButton } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { type Drawing, DrawnCode, drawCode } from '../ui/qr-code';
import { Bones, FaultNote } from '../ui/state';
import { Ago, Badge } from '../ui/status';
import { tell, tellFault } from '../ui/toast';
import type { CheckedHolder } from './checks';
import './stickers.css';

type Sticker = StickerFragment;

/** The most records of one request. */
const mostAtOnce = 500;
/** The most stickers of a sheet that a dialog shows. */
const mostShown = 3;

/** Returns the name of a sticker's record, and the licence plate of a vehicle. */
function namesOn({ holder }: Sticker): { readonly name: string; readonly plate?: string | undefined } {
  switch (holder?.__typename) {
    case 'Vehicle': {
      const { vehicleName, make, model, licensePlate } = holder;
      const name = visibleName(vehicleName, [make, model].filter(Boolean).join(' '), licensePlate);
      const plate = visibleName(licensePlate);
      return { name: shownName(name), plate: plate === name ? undefined : plate };
    }
    case 'Contact':
      return { name: shownName(holder.contactName) };
    case 'Company':
      return { name: shownName(holder.companyName, holder.doingBusinessAs) };
    default:
      return { name: shownName(holder?.locationName) };
  }
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Compares stickers by the names of their records. */
const byName = (one: Sticker, other: Sticker) => collator.compare(namesOn(one).name, namesOn(other).name);

/** A sticker with its code. */
interface Drawn {
  readonly sticker: Sticker;
  readonly drawing: Drawing;
}

/** Renders a sticker as it is printed. */
function StickerFace({ sticker, drawing }: Drawn) {
  const { name, plate } = namesOn(sticker);
  return (
    <div class="sticker">
      <DrawnCode drawing={drawing} label={t('stickers.code', { name })} />
      <div>
        <p class="stickername">{name}</p>
        {plate && <p class="stickerplate">{plate}</p>}
        <p class="stickerhint">{t('stickers.scan')}</p>
        {sticker.name && <p class="stickerhint">{sticker.name}</p>}
      </div>
    </div>
  );
}

/** Draws the codes of stickers. Undefined until all are drawn. */
function useDrawn(stickers: readonly Sticker[]): readonly Drawn[] | undefined {
  const [drawn, setDrawn] = useState<readonly Drawn[]>();
  useEffect(() => {
    let isOver = false;
    const drawing = stickers.map(async (sticker) => ({
      sticker,
      drawing: await drawCode(sticker.url ?? ''),
    }));
    Promise.all(drawing).then((all) => {
      if (!isOver) setDrawn(all);
    });
    return () => {
      isOver = true;
      setDrawn(undefined);
    };
  }, [stickers]);
  return drawn;
}

/** Puts stickers on paper: whatever is printed while they are shown is their sheet alone. */
function useSheet(drawn: readonly Drawn[] | undefined): void {
  useEffect(() => {
    if (!drawn) return;
    const sheet = document.createElement('div');
    sheet.className = 'stickersheet';
    const faces = drawn.map((one) => <StickerFace key={one.sticker.id} {...one} />);
    render(faces, sheet);
    document.body.append(sheet);
    return () => {
      render(null, sheet);
      sheet.remove();
    };
  }, [drawn]);
}

/** Renders stickers as they will look, and the button that prints all of them. */
function Printing({ stickers }: { readonly stickers: readonly Sticker[] }) {
  const drawn = useDrawn(stickers);
  useSheet(drawn);
  if (!drawn) return <Bones rows={3} />;
  const others = drawn.length - mostShown;
  return (
    <>
      <div class="stickerfaces">
        {drawn.slice(0, mostShown).map((one) => (
          <StickerFace key={one.sticker.id} {...one} />
        ))}
      </div>
      {others > 0 && <p class="soft">{t('stickers.others', { n: others })}</p>}
      <div class="line">
        <Button weight="first" icon="print" onClick={() => window.print()}>
          {t('compliance.print')}
        </Button>
        {drawn.length === 1 && (
          <a href={drawn[0]?.sticker.url ?? ''} target="_blank" rel="noreferrer">
            {t('stickers.open')}
          </a>
        )}
        {drawn.length > 1 && <span class="soft small">{t('stickers.sheet_hint')}</span>}
      </div>
    </>
  );
}

interface StickerListProps {
  readonly stickers: readonly Sticker[];
  /** The one that is shown. */
  readonly shownId: string | undefined;
  readonly onShow: (id: string) => void;
  /** Called after one was revoked. */
  readonly onDone: () => unknown;
}

/** Renders the stickers of a record, with their uses. */
function StickerList({ stickers, shownId, onShow, onDone }: StickerListProps) {
  async function revoke({ id, version }: Sticker) {
    const outcome = await request(RevokeSticker, { id, ifVersion: version });
    if (!outcome.ok) tellFault(outcome.fault);
    else tell(t('stickers.is_revoked'));
    await onDone();
  }
  const ask = (sticker: Sticker) => {
    question.value = {
      ...{ title: t('stickers.revoke_title'), text: t('stickers.revoke_text') },
      ...{ keep: t('common.cancel'), goOn: t('settings.revoke'), onGoOn: () => revoke(sticker) },
    };
  };
  return (
    <ul class="entrylist">
      {stickers.map((sticker) => {
        const { id, name, uses, lastUsedAt, revokedAt, url, created, user } = sticker;
        const title = visibleName(name) ?? t('stickers.title');
        return (
          <li key={id}>
            <div>
              <p class="line">
                <span class="strong" dir="auto">
                  {shownName(title)}
                </span>
                {revokedAt && <Badge urgency="plain">{t('settings.revoked')}</Badge>}
              </p>
              <p class="soft small">{joinNames(formatMoment(created), user?.name)}</p>
              <p class="soft small">
                {uses === 0 ? t('stickers.unused') : t('stickers.uses', { n: uses })}
                {lastUsedAt && (
                  <>
                    {' · '}
                    <Ago moment={lastUsedAt} />
                  </>
                )}
              </p>
              {!revokedAt && !url && <p class="small">{t('stickers.unreadable')}</p>}
            </div>
            {!revokedAt && (
              <span class="rowactions">
                {url && id !== shownId && (
                  <IconButton
                    icon="print"
                    label={t('stickers.show', { name: title })}
                    onClick={() => onShow(id)}
                  />
                )}
                <IconButton
                  icon="trash"
                  label={t('stickers.revoke', { name: title })}
                  onClick={() => ask(sticker)}
                />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Renders the stickers of a record. The newest one is shown to be printed, and all are listed with their uses. */
export function StickerDialog({
  holder,
  onClose,
}: {
  readonly holder: CheckedHolder;
  readonly onClose: () => void;
}) {
  const { kind, id } = holder;
  const { data, fault, reload } = useQuery(StickersHere, { filter: { [`${kind.toLowerCase()}Id`]: id } });
  const [chosenId, setChosen] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const stickers = data?.complianceLinks.nodes;
  const open = stickers?.filter(({ revokedAt, url }) => !revokedAt && url) ?? [];
  const shown = open.find((sticker) => sticker.id === chosenId) ?? open[0];
  // The same array for the same sticker, so that its code is drawn once.
  const shownKey = shown && `${shown.id} ${shown.url}`;
  const printed = useMemo(() => (shown ? [shown] : []), [shownKey]);
  return (
    <Dialog title={t('stickers.title')} onClose={onClose} isLarge>
      <div class="stack">
        <p>{t('stickers.text')}</p>
        {fault && <FaultNote fault={fault} onRetry={reload} />}
        {!stickers && !fault && <Bones rows={4} />}
        {printed.length > 0 && <Printing stickers={printed} />}
        {stickers && stickers.length > 0 && (
          <StickerList stickers={stickers} shownId={shown?.id} onShow={setChosen} onDone={reload} />
        )}
        {stickers && open.length > 0 && !isAdding && (
          <p>
            <Button icon="plus" onClick={() => setAdding(true)}>
              {t('stickers.another')}
            </Button>
          </p>
        )}
        {stickers && (open.length === 0 || isAdding) && (
          <Form
            isFocused={isAdding}
            fields={[
              {
                type: 'text',
                name: 'name',
                label: 'stickers.name',
                isWide: true,
                control: { autoComplete: 'off' },
              },
            ]}
            action={t('stickers.make')}
            send={({ name }) =>
              request(MakeSticker, {
                input: { holderKind: kind, holderId: id, ...(name ? { name: String(name) } : {}) },
              })
            }
            onDone={async ({ sticker }) => {
              setAdding(false);
              setChosen(sticker?.id);
              await reload();
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

interface StickersDialogProps {
  readonly kind: HolderKind;
  /** Ids of the records. */
  readonly ids: readonly string[];
  readonly onClose: () => void;
}

/** Renders the dialog that makes a sheet with a sticker for each of many records. */
export function StickersDialog({ kind, ids, onClose }: StickersDialogProps) {
  const [made, setMade] = useState<readonly Sticker[]>();
  async function make() {
    const all: Sticker[] = [];
    for (let from = 0; from < ids.length; from += mostAtOnce) {
      const input = { holderKind: kind, holderIds: ids.slice(from, from + mostAtOnce) };
      const outcome = await request(MakeStickers, { input });
      if (!outcome.ok) return tellFault(outcome.fault);
      all.push(...(outcome.data.stickers ?? []));
    }
    setMade(all);
  }
  // By name, as people go along a row of vehicles.
  const printed = useMemo(() => made?.filter(({ url }) => url).sort(byName) ?? [], [made]);
  const unreadable = (made?.length ?? 0) - printed.length;
  return (
    <Dialog title={t('stickers.many')} onClose={onClose} isLarge>
      <div class="stack">
        <p>{t('stickers.text')}</p>
        {made ? (
          <>
            {unreadable > 0 && <p class="note near">{t('stickers.unreadable_many', { n: unreadable })}</p>}
            {printed.length > 0 && <Printing stickers={printed} />}
          </>
        ) : (
          <>
            <p>{t('stickers.many_text', { n: ids.length })}</p>
            <div class="line">
              <Button weight="first" icon="print" onClick={make}>
                {t('stickers.make_many')}
              </Button>
              <Button onClick={onClose}>{t('common.cancel')}</Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
