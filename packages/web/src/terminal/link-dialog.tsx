// A link of a program: its whole address, before anything is opened.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { Dialog } from '../parts/dialog.tsx';
import styles from './terminal.module.css';

export function LinkDialog({ address, onClose }: { address: string; onClose: () => void }) {
	return (
		<Dialog title="Open this address?" onClose={onClose}>
			<code className={styles.address}>{sanitiseLine(address)}</code>
			<a className={styles.open} href={address} target="_blank" rel="noopener noreferrer" onClick={onClose}>
				Open
			</a>
		</Dialog>
	);
}
