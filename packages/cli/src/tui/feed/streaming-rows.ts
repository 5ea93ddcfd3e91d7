// Text that is being written right now, as the last thing in the feed: its newest lines, whatever its length.

import { actorName, depthOf } from '@roost/core/views/actor-names';
import type { Actors } from '@roost/core/views/actors';
import { actorId } from '@roost/protocol/ids';
import type { Room } from '../pane.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, span } from '../screen/row.ts';

/** At most half of the room, so that what happened stays in sight. */
export function streamingRows(streaming: ReadonlyMap<string, string>, actors: Actors, room: Room): Row[] {
	const most = Math.max(1, Math.floor(room.height / 2 / Math.max(1, streaming.size)));
	return [...streaming].flatMap(([id, text]) => textRows(id, text, actors, room, most)).slice(0, Math.floor(room.height / 2));
}

const TIME = ' '.repeat(9);

function textRows(id: string, text: string, actors: Actors, { width, styles }: Room, most: number): Row[] {
	const actor = actorId.parse(id);
	const depth = depthOf(actor, actors);
	const under = `${TIME}${`${styles.glyphs.vertical} `.repeat(depth)}  `;
	const who = depth > 0 ? `${actorName(actor, actors)}: ` : '';
	const lines = [...wrapped(`${who}${tailOf(text, width * most)}`, Math.max(10, width - under.length - 2), 'faint')].slice(-most);
	return lines.map((line, index) => [
		span(under, 'faint'),
		span(index === 0 ? `${styles.glyphs.working} ` : '  ', 'agent'),
		...line,
	]);
}

/** From the start of a line where one is near, so that lines do not move while the text grows. */
function tailOf(text: string, length: number): string {
	if (text.length <= length * 2) return text;
	const near = text.slice(-length * 2);
	const newline = near.indexOf('\n');
	return newline >= 0 && newline < length ? near.slice(newline + 1) : near;
}
