// Changes the input of a call before it is allowed: the command of a shell, else the whole input as JSON.
import { fromEdited, toEditable } from '@roost/core/answers/edit-input';
import type { AskRow } from '@roost/protocol/ask';
import { useState } from 'react';
import { useSource } from '../data/use-world.ts';
import { AllowButton } from './allow-button.tsx';
import styles from './asks.module.css';
import { focusOnce } from './focus-once.ts';
import type { Guard } from './guard.ts';

export function EditForm({ ask, guard, onCancel }: { ask: AskRow; guard: Guard; onCancel: () => void }) {
	const source = useSource();
	const editable = toEditable(ask);
	const [text, setText] = useState(editable.ok ? editable.value : '');
	const edited = fromEdited(ask, text);
	return (
		<div className={styles.form}>
			<textarea
				ref={focusOnce}
				className={styles.text}
				aria-label="Edited input"
				data-kind="code"
				spellCheck={false}
				value={text}
				onChange={({ target }) => setText(target.value)}
			/>
			{edited.ok ? null : <p className={styles.problem}>{edited.error.message}</p>}
			<div className={styles.buttons}>
				<button type="button" onClick={onCancel}>
					Cancel
				</button>
				<AllowButton
					risk={ask.risk}
					guard={guard}
					isIncomplete={!edited.ok}
					onAllow={() => edited.ok && source.approve(ask, { decision: 'allow', modifiedInput: edited.value })}
				>
					Allow this input
				</AllowButton>
			</div>
		</div>
	);
}
