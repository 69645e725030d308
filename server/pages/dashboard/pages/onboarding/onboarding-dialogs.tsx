/**
 * The dialogs of the checklist: go live, dismiss a step, restore it. Opened by onboarding-page.tsx. Going live needs a
 * fresh second factor.
 */
import { client, type Schemas } from '../../core/api.ts';
import { useCurrent, useRefreshCurrent } from '../../core/current.tsx';
import { useWords } from '../../core/language.ts';
import { answerOf } from '../../core/problem.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { announce } from '../../ui/toasts.tsx';
import { words } from './words.ts';

interface Asking {
  readonly changed: () => Promise<void>;
  readonly close: () => void;
}

interface AskingAboutStep extends Asking {
  readonly step: Schemas['ChecklistStep'];
  readonly title: string;
}

/** Takes the tenant live. That needs a fresh second factor, which is requested on the way. */
export function GoLiveDialog({ changed, close }: Asking) {
  const t = useWords(words);
  const { tenant } = useCurrent();
  const refresh = useRefreshCurrent();
  const form = useForm({
    initial: { note: '' },
    submit: async ({ note }) => {
      await answerOf(client.POST('/v1/onboarding/go-live', { body: note.trim() === '' ? {} : { note: note.trim() } }));
      await Promise.all([refresh(), changed()]);
      close();
      announce(t.isLive(tenant.name));
    },
  });
  return (
    <Dialog title={t.goLiveTitle(tenant.name)} onClose={close}>
      <p>{t.goLiveText}</p>
      <Notice tone="warning">{t.irreversible}</Notice>
      <Form form={form} action={t.goLive} cancel={close}>
        <TextField
          field={form.field('note')}
          label={t.note}
          hint={t.noteHint}
          optional
          maxLength={500}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}

export function DismissDialog({ step: { key }, title, changed, close }: AskingAboutStep) {
  const t = useWords(words);
  const form = useForm({
    initial: { reason: '' },
    required: { reason: t.enterReason },
    messages: { too_short: t.reasonHint },
    submit: async ({ reason }) => {
      await answerOf(
        client.POST('/v1/onboarding/checklist/{stepKey}/dismiss', {
          params: { path: { stepKey: key } },
          body: { reason: reason.trim() },
        }),
      );
      await changed();
      close();
      announce(t.isPutAside(title));
    },
  });
  return (
    <Dialog title={t.putAsideTitle(title)} onClose={close}>
      <Form form={form} action={t.putAside} cancel={close}>
        <TextField
          field={form.field('reason')}
          label={t.reason}
          hint={t.reasonHint}
          maxLength={500}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}

export function RestoreDialog({ step: { key }, title, changed, close }: AskingAboutStep) {
  const t = useWords(words);
  const restore = async () => {
    await answerOf(
      client.POST('/v1/onboarding/checklist/{stepKey}/dismiss', {
        params: { path: { stepKey: key } },
        body: { restore: true },
      }),
    );
    await changed();
    announce(t.isOpenAgain(title));
  };
  return (
    <ConfirmDialog title={t.takeUpTitle(title)} action={t.takeUp} run={restore} onClose={close}>
      <p>{t.takeUpText}</p>
    </ConfirmDialog>
  );
}
