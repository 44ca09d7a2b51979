import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

/** Forms with something in them that is not kept. */
const unkept = new Set<object>();

/** The way on that somebody is asked about. */
const asked = signal<(() => void) | undefined>(undefined);

/** Has people asked before what they typed in a form goes away. */
export function useUnkept(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const form = {};
    unkept.add(form);
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => {
      unkept.delete(form);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isChanged]);
}

/** Says whether the screen may go away; otherwise somebody is asked. @param goOn what is done when they agree */
export function mayLeave(goOn: () => void): boolean {
  if (unkept.size === 0) return true;
  asked.value = () => {
    unkept.clear();
    goOn();
  };
  return false;
}

/** Asks whether what was typed may be lost. */
export function LeaveDialog() {
  const goOn = asked.value;
  if (!goOn) return null;
  const close = () => {
    asked.value = undefined;
  };
  return (
    <Dialog title={t('common.leave')} onClose={close}>
      <div class="stack">
        <p>{t('common.leave_text')}</p>
        <div class="line">
          <Button weight="first" onClick={close}>
            {t('common.stay')}
          </Button>
          <Button
            weight="bad"
            onClick={() => {
              close();
              goOn();
            }}
          >
            {t('common.leave_anyway')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
