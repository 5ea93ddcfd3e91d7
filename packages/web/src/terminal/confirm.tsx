// A question in a dialog: its children are the sentence and the action, and Cancel closes it.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './terminal.module.css';

type ConfirmProps = { title: string; onClose: () => void; children: ReactNode };

export function Confirm({ title, onClose, children }: ConfirmProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const id = useId();
	useEffect(() => dialog.current?.showModal(), []);
	return (
		<dialog ref={dialog} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
			<h2 id={id}>{title}</h2>
			{children}
			<button type="button" onClick={() => dialog.current?.close()}>
				Cancel
			</button>
		</dialog>
	);
}
