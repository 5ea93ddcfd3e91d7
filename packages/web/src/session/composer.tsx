// Where the user writes to a session: queued prompts above, the field below. On a phone, Enter is a new line.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { SessionId } from '@roost/protocol/ids';
import { type KeyboardEvent, useRef } from 'react';
import { useWorld } from '../data/use-world.ts';
import { isTouch } from '../device/is-touch.ts';
import { useAction } from '../keys/use-action.ts';
import { QueuedPrompts } from './queued-prompts.tsx';
import styles from './session.module.css';
import { usePrompt } from './use-prompt.ts';

export function Composer({ id, isBusy }: { id: SessionId; isBusy: boolean }) {
	const { driving } = useWorld();
	const prompt = usePrompt(id);
	const field = useRef<HTMLTextAreaElement>(null);
	useAction('write', () => field.current?.focus());
	if (driving?.takesPrompts === false && prompt.text === '') return <p className={styles.closed}>{sanitiseLine(driving.why)}</p>;

	function press(event: KeyboardEvent): void {
		if (event.key === 'Escape') field.current?.blur();
		if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
		const isMod = event.metaKey || event.ctrlKey;
		if (!isMod && (event.shiftKey || isTouch())) return;
		event.preventDefault();
		prompt.send();
	}

	return (
		<div className={styles.composer}>
			<QueuedPrompts id={id} />
			{prompt.outgoing ? <p className={styles.outgoing}>Sending: {sanitiseLine(prompt.outgoing.text)}</p> : null}
			{driving?.takesPrompts === false ? <p className={styles.outgoing}>{sanitiseLine(driving.why)}</p> : null}
			<div className={styles.field}>
				<textarea
					ref={field}
					rows={1}
					aria-label="Prompt"
					placeholder={isBusy ? 'Queue a prompt' : 'Write a prompt'}
					value={prompt.text}
					onChange={({ target }) => prompt.write(target.value)}
					onKeyDown={press}
				/>
				<button
					type="button"
					className={styles.send}
					disabled={prompt.text.trim() === '' || prompt.outgoing !== undefined || driving?.takesPrompts === false}
					onClick={prompt.send}
				>
					{isBusy ? 'Queue' : 'Send'}
				</button>
			</div>
		</div>
	);
}
