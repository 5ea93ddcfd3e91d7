// What became of an answer that was given here and is not decided yet.
import type { AskRow } from '@roost/protocol/ask';
import { clockWords } from '../data/away.ts';
import { useWorld } from '../data/use-world.ts';

export function useSentWords({ id }: Pick<AskRow, 'id'>): string {
	const { queuedAnswers, now } = useWorld();
	const queued = queuedAnswers.get(id);
	return queued ? `Queued until ${clockWords(queued.until, now)}: the runner is offline.` : 'Answer sent.';
}
