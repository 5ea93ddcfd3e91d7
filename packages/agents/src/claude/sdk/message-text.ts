// Message text of Claude, piece by piece from the stream, or whole where it was not streamed.
import type { HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import { z } from 'zod';
import { createRecentIds } from '../../base/recent-ids.ts';

type MessagePiece = HookPayload<'MessageDisplay'>;

const streamEvent = z.discriminatedUnion('type', [
	z.looseObject({ type: z.literal('message_start'), message: z.looseObject({ id: z.string() }) }),
	z.looseObject({
		type: z.literal('content_block_start'),
		index: z.number(),
		content_block: z.looseObject({ type: z.string() }),
	}),
	z.looseObject({
		type: z.literal('content_block_delta'),
		index: z.number(),
		delta: z.looseObject({ type: z.string(), text: z.string().optional() }),
	}),
	z.looseObject({ type: z.literal('content_block_stop'), index: z.number() }),
]);

const wholeMessage = z.looseObject({
	message: z.looseObject({
		id: z.string(),
		content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).catch([]),
	}),
	uuid: z.string().optional(),
	agent_id: z.string().optional(),
	error: z.string().optional(),
});

export function createMessageText() {
	const streamed = createRecentIds(1000);
	/** Compaction repeats messages that it keeps. */
	const reported = createRecentIds(1000);
	let messageId = '';
	/** Open text blocks: number of reported pieces by block index. */
	const open = new Map<number, number>();

	/** Claude reports the id of a finished block right before the stream ends it. */
	let keptAs: string | undefined;

	function piece(block: number, delta: string, final: boolean): MessagePiece {
		const index = open.get(block) ?? 0;
		if (final) open.delete(block);
		else open.set(block, index + 1);
		return { message_id: `${messageId}.${block}`, index, delta, final };
	}

	function lastPiece(block: number): MessagePiece {
		return { ...piece(block, '', true), ...(keptAs === undefined ? {} : { native_id: keptAs }) };
	}

	function breakOff(): MessagePiece[] {
		return [...open].map(([block]) => piece(block, '', true));
	}

	function stream(raw: unknown): MessagePiece[] {
		const parsed = streamEvent.safeParse(raw);
		if (!parsed.success) return [];
		const event = parsed.data;
		switch (event.type) {
			case 'message_start': {
				const left = breakOff();
				messageId = event.message.id;
				streamed.add(messageId);
				return left;
			}
			case 'content_block_start':
				keptAs = undefined;
				if (event.content_block.type === 'text') open.set(event.index, 0);
				return [];
			case 'content_block_delta':
				return open.has(event.index) && event.delta.text !== undefined ? [piece(event.index, event.delta.text, false)] : [];
			case 'content_block_stop':
				return open.has(event.index) ? [lastPiece(event.index)] : [];
		}
	}

	return {
		stream,
		/** A finished message, or a part of one. */
		whole(raw: unknown): MessagePiece[] {
			const parsed = wholeMessage.safeParse(raw);
			// Errors are reported as the reason of a failed turn.
			if (!parsed.success || parsed.data.error !== undefined) return [];
			const { message, uuid, agent_id } = parsed.data;
			if (message.id === messageId) keptAs = uuid;
			if (streamed.has(message.id)) return [];
			if (uuid !== undefined && reported.has(uuid)) return [];
			if (uuid !== undefined) reported.add(uuid);
			const texts = message.content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []));
			return texts.map((delta, at) => ({
				message_id: `${uuid ?? message.id}.${at}`,
				index: 0,
				delta,
				final: true,
				...(agent_id === undefined ? {} : { agent_id }),
			}));
		},
		/** Ends unfinished messages. */
		breakOff,
	};
}
