import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

/** Forms with unsaved input. */
const unkept = new Set<object>();

/** A question before somebody loses what they see. */
interface Question {
  readonly title: string;
  readonly text: string;
  /** Labels of the buttons. The first one, which keeps everything, has the focus. */
  readonly keep: string;
  readonly goOn: string;
  readonly onGoOn: () => void;
}

/** The question that is shown. */
export const question = signal<Question | undefined>(undefined);

/** Warns people before they lose unsaved input in a form. */
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

/** Returns whether the screen may be left; otherwise asks the person. @param goOn is called if they agree */
export function mayLeave(goOn: () => void): boolean {
  if (unkept.size === 0) return true;
  question.value = {
    title: t('common.leave'),
    text: t('common.leave_text'),
    keep: t('common.stay'),
    goOn: t('common.leave_anyway'),
    onGoOn() {
      unkept.clear();
      goOn();
    },
  };
  return false;
}

/** Asks the current question, such as whether to discard unsaved input. */
export function QuestionDialog() {
  const asked = question.value;
  if (!asked) return null;
  const close = () => {
    question.value = undefined;
  };
  return (
    <Dialog title={asked.title} onClose={close}>
      <div class="stack">
        <p>{asked.text}</p>
        <div class="line">
          <Button weight="first" autofocus onClick={close}>
            {asked.keep}
          </Button>
          <Button
            weight="bad"
            onClick={() => {
              close();
              asked.onGoOn();
            }}
          >
            {asked.goOn}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
