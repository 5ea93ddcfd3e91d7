// What a session can be doing, in words and signs.
import type { SessionRow } from '@roost/protocol/session-row';
import type { Glyphs, Tone } from '../screen/look.ts';

export const RUN_STATES: Record<SessionRow['status'], { words: string; tone: Tone; glyph: keyof Glyphs }> = {
	working: { words: 'working', tone: 'good', glyph: 'working' },
	waiting: { words: 'waiting for you', tone: 'warn', glyph: 'waiting' },
	idle: { words: 'idle', tone: 'faint', glyph: 'idle' },
	interrupted: { words: 'interrupted', tone: 'warn', glyph: 'idle' },
	ended: { words: 'ended', tone: 'faint', glyph: 'ended' },
};
