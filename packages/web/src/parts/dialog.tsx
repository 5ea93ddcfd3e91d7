// A dialog over the page: Escape, its button and a click beside it close it, and the focus returns to where it was.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './parts.module.css';

type DialogProps = {
	title: string;
	onClose: () => void;
	/** False if the children have a button that closes it. */
	hasClose?: boolean;
	children: ReactNode;
};

export function Dialog({ title, onClose, hasClose = true, children }: DialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const id = useId();
	useEffect(() => {
		dialog.current?.showModal();
		dialog.current?.querySelector<HTMLElement>('input[type="text"], textarea')?.focus();
	}, []);
	return (
		<dialog
			ref={dialog}
			className={styles.dialog}
			aria-labelledby={id}
			onClose={onClose}
			onClick={({ target }) => target === dialog.current && dialog.current?.close()}
			onKeyDown={(event) => event.stopPropagation()}
		>
			<div className={styles.dialogPage}>
				<header className={styles.dialogHead}>
					<h2 id={id}>{title}</h2>
					{hasClose ? (
						<button type="button" onClick={() => dialog.current?.close()}>
							Close
						</button>
					) : null}
				</header>
				{children}
			</div>
		</dialog>
	);
}
