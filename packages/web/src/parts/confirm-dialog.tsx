// Asks before something that cannot be undone. It closes when that is done, and says why if it failed.
import type { Reply } from '@roost/client/api-call';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type ReactNode, useState } from 'react';
import { useSource } from '../data/use-world.ts';
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './fields.tsx';

type ConfirmProps = {
	title: string;
	/** On the button. */
	action: string;
	onConfirm: () => Promise<Reply<unknown>>;
	onClose: () => void;
	children: ReactNode;
};

export function ConfirmDialog({ title, action, onConfirm, onClose, children }: ConfirmProps) {
	const source = useSource();
	const [isSent, setSent] = useState(false);
	const [problem, setProblem] = useState('');

	async function confirm(): Promise<void> {
		setSent(true);
		const reply = await onConfirm();
		setSent(false);
		if (!reply.ok && reply.queued) source.reportQueued(reply.queued.expiresAt);
		if (reply.ok || reply.queued) onClose();
		else setProblem(reply.error.message);
	}

	return (
		<Dialog title={title} onClose={onClose} hasClose={false}>
			<div className={styles.words}>{children}</div>
			{problem === '' ? null : <p role="alert">{sanitiseLine(problem)}</p>}
			<form method="dialog">
				<FormButtons>
					<Button type="submit">Cancel</Button>
					<Button look="danger" disabled={isSent} onClick={() => void confirm()}>
						{action}
					</Button>
				</FormButtons>
			</form>
		</Dialog>
	);
}
