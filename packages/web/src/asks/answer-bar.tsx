// The answers to a permission request: deny, deny with a message, edit and allow, always, allow once.
import { toEditable } from '@roost/core/answers/edit-input';
import type { AskRow } from '@roost/protocol/ask';
import { lazy, Suspense, useState } from 'react';
import { useSource, useWorld } from '../data/use-world.ts';
import { AllowButton } from './allow-button.tsx';
import styles from './asks.module.css';
import { DenyForm } from './deny-form.tsx';
import { EditForm } from './edit-form.tsx';
import { useReady } from './use-ready.ts';

/** Apart, because it brings the reader of shell commands along. */
const AlwaysForm = lazy(async () => ({ default: (await import('./always-form.tsx')).AlwaysForm }));

export function AnswerBar({ ask, since }: { ask: AskRow; since: number }) {
	const source = useSource();
	const { answered } = useWorld();
	const isReady = useReady(since);
	const [form, setForm] = useState<'deny' | 'edit' | 'always' | null>(null);
	const close = () => setForm(null);
	if (answered.has(ask.id)) return <p className={styles.sent}>Answer sent.</p>;
	if (form === 'deny') return <DenyForm ask={ask} onCancel={close} />;
	if (form === 'edit') return <EditForm ask={ask} onCancel={close} />;
	if (form === 'always')
		return (
			<Suspense fallback={<p className={styles.sent}>Loading…</p>}>
				<AlwaysForm ask={ask} onCancel={close} />
			</Suspense>
		);
	return (
		<div className={styles.bar}>
			<div className={styles.buttons}>
				<button
					type="button"
					className={styles.deny}
					disabled={!isReady}
					onClick={() => source.approve(ask, { decision: 'deny' })}
				>
					Deny
				</button>
				<div className={styles.more}>
					<button type="button" onClick={() => setForm('deny')}>
						Deny with message…
					</button>
					{toEditable(ask).ok ? (
						<button type="button" onClick={() => setForm('edit')}>
							Edit…
						</button>
					) : null}
					<button type="button" onClick={() => setForm('always')}>
						Always…
					</button>
				</div>
				<AllowButton risk={ask.risk} isDisabled={!isReady} onAllow={() => source.approve(ask, { decision: 'allow' })}>
					Allow once
				</AllowButton>
			</div>
		</div>
	);
}
