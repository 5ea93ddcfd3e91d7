// The answers to a permission request: deny, deny with a message, edit and allow, always, allow once.
import { toEditable } from '@roost/core/answers/edit-input';
import type { AskRow } from '@roost/protocol/ask';
import { lazy, Suspense, useState } from 'react';
import { useSource, useWorld } from '../data/use-world.ts';
import { useAction } from '../keys/use-action.ts';
import { AllowButton } from './allow-button.tsx';
import styles from './asks.module.css';
import { DenyForm } from './deny-form.tsx';
import { EditForm } from './edit-form.tsx';
import { GuardedButton } from './guarded-button.tsx';
import type { CardGuard } from './use-guard.ts';
import { useSentWords } from './use-sent-words.ts';

/** Apart, because it brings the reader of shell commands along. */
const AlwaysForm = lazy(async () => ({ default: (await import('./always-form.tsx')).AlwaysForm }));

type Form = 'deny' | 'edit' | 'always';

/** `hasKeys`: the keys of answers are for this card. */
export function AnswerBar({ ask, guard, hasKeys }: { ask: AskRow; guard: CardGuard; hasKeys: boolean }) {
	const { answered } = useWorld();
	const sent = useSentWords(ask);
	const [form, setForm] = useState<Form | null>(null);
	const turnTo = (next: Form | null) => {
		guard.restart();
		setForm(next);
	};
	const close = () => turnTo(null);
	useAction('back', close, form !== null && hasKeys);
	if (answered.has(ask.id)) return <p className={styles.sent}>{sent}</p>;
	return (
		<div className={styles.bar}>
			{form === 'deny' ? <DenyForm ask={ask} guard={guard} onCancel={close} /> : null}
			{form === 'edit' ? <EditForm ask={ask} guard={guard} onCancel={close} /> : null}
			{form === 'always' ? (
				<Suspense fallback={<p className={styles.sent}>Loading…</p>}>
					<AlwaysForm ask={ask} guard={guard} onCancel={close} />
				</Suspense>
			) : null}
			{form === null ? <Choices ask={ask} guard={guard} hasKeys={hasKeys} onForm={turnTo} /> : null}
		</div>
	);
}

type ChoicesProps = { ask: AskRow; guard: CardGuard; hasKeys: boolean; onForm: (form: Form) => void };

function Choices({ ask, guard, hasKeys, onForm }: ChoicesProps) {
	const source = useSource();
	const canEdit = toEditable(ask).ok;
	const deny = () => source.approve(ask, { decision: 'deny' });
	useAction('deny', deny, hasKeys && guard.isReady);
	useAction('denyWithMessage', () => onForm('deny'), hasKeys);
	useAction('edit', () => onForm('edit'), hasKeys && canEdit);
	return (
		<div className={styles.buttons}>
			<GuardedButton className={styles.deny} isOff={!guard.isReady} onPress={deny}>
				Deny
			</GuardedButton>
			<div className={styles.more}>
				<button type="button" onClick={() => onForm('deny')}>
					Deny with message…
				</button>
				{canEdit ? (
					<button type="button" onClick={() => onForm('edit')}>
						Edit…
					</button>
				) : null}
				<button type="button" onClick={() => onForm('always')}>
					Always…
				</button>
			</div>
			<AllowButton risk={ask.risk} guard={guard} hasKey={hasKeys} onAllow={() => source.approve(ask, { decision: 'allow' })}>
				Allow once
			</AllowButton>
		</div>
	);
}
