// Signs for the state of a session, and whether it can be ended.
import type { SessionRow } from '@roost/protocol/session-row';
import type { Glyphs, Tone } from '../screen/styles.ts';

export const RUN_STATES: Record<SessionRow['status'], { tone: Tone; glyph: keyof Glyphs }> = {
	working: { tone: 'good', glyph: 'working' },
	waiting: { tone: 'warn', glyph: 'waiting' },
	idle: { tone: 'faint', glyph: 'idle' },
	interrupted: { tone: 'warn', glyph: 'idle' },
	ended: { tone: 'faint', glyph: 'ended' },
};

/** Undefined if it can be ended. */
export function whyNotEnd({ id, driven, status }: SessionRow): string | undefined {
	if (!driven) return `Roost only observes ${id}. End it in its own terminal.`;
	return status === 'ended' ? `${id} has already ended.` : undefined;
}
