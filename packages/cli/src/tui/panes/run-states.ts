// What a session can be doing, in signs.
import type { SessionRow } from '@roost/protocol/session-row';
import type { Glyphs, Tone } from '../screen/styles.ts';

export const RUN_STATES: Record<SessionRow['status'], { tone: Tone; glyph: keyof Glyphs }> = {
	working: { tone: 'good', glyph: 'working' },
	waiting: { tone: 'warn', glyph: 'waiting' },
	idle: { tone: 'faint', glyph: 'idle' },
	interrupted: { tone: 'warn', glyph: 'idle' },
	ended: { tone: 'faint', glyph: 'ended' },
};
