// Prompts that wait for the agent: edit, move, send into the current run, or cancel each.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import type { SessionId } from '@roost/protocol/ids';
import { useState } from 'react';
import { useSource, useWorld } from '../data/use-world.ts';
import styles from './session.module.css';

export function QueuedPrompts({ id }: { id: SessionId }) {
	const queue = useWorld().queues.get(id) ?? [];
	if (queue.length === 0) return null;
	return (
		<ol className={styles.queue} aria-label="Queued prompts">
			{queue.map((prompt, at) => (
				<Queued key={prompt.id} id={id} prompt={prompt} at={at} isLast={at === queue.length - 1} />
			))}
		</ol>
	);
}

type QueuedProps = { id: SessionId; prompt: QueuedPrompt; at: number; isLast: boolean };

function Queued({ id, prompt, at, isLast }: QueuedProps) {
	const source = useSource();
	const [text, setText] = useState<string | undefined>(undefined);
	const move = (to: number) => void source.perform({ type: 'move-queued', id, prompt: prompt.id, to });
	if (text !== undefined) {
		return (
			<li>
				<textarea aria-label="Queued prompt" value={text} onChange={({ target }) => setText(target.value)} />
				<div className={styles.tools}>
					<button type="button" onClick={() => setText(undefined)}>
						Cancel
					</button>
					<button
						type="button"
						disabled={text.trim() === ''}
						onClick={() => {
							void source.perform({ type: 'edit-queued', id, prompt: prompt.id, text });
							setText(undefined);
						}}
					>
						Save
					</button>
				</div>
			</li>
		);
	}
	return (
		<li data-prompt={prompt.id}>
			<p>{sanitiseLine(prompt.text)}</p>
			<div className={styles.tools}>
				<button type="button" onClick={() => setText(prompt.text)}>
					Edit
				</button>
				<button type="button" disabled={at === 0} aria-label="Move up" onClick={() => move(at - 1)}>
					↑
				</button>
				<button type="button" disabled={isLast} aria-label="Move down" onClick={() => move(at + 1)}>
					↓
				</button>
				<button type="button" onClick={() => void source.perform({ type: 'send-now', id, prompt: prompt.id })}>
					Send now
				</button>
				<button type="button" onClick={() => void source.perform({ type: 'cancel-queued', id, prompt: prompt.id })}>
					Remove
				</button>
			</div>
		</li>
	);
}
