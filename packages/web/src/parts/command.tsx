// A command for a terminal, with a button that copies it.
import { useState } from 'react';
import styles from './parts.module.css';

export function Command({ children }: { children: string }) {
	const [isCopied, setCopied] = useState(false);
	return (
		<span className={styles.command}>
			<code>{children}</code>
			<button type="button" onClick={() => void navigator.clipboard.writeText(children).then(() => setCopied(true))}>
				{isCopied ? 'Copied' : 'Copy'}
			</button>
		</span>
	);
}
