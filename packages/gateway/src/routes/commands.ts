// How far a long command is, for whoever waits for it.
import { commandProgress } from '@roost/protocol/api/claude-commands';
import { commandId } from '@roost/protocol/api/driving';
import { ok } from '@roost/protocol/result';
import { z } from 'zod';
import type { CommandBoard } from '../command-board.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export function commandRoute(board: CommandBoard): Route {
	return defineRoute(
		{
			method: 'GET',
			path: '/api/v1/commands/:id',
			access: 'any',
			summary: 'What a long command has said so far',
			status: 200,
			params: z.strictObject({ id: commandId }),
			query: nothing,
			body: noBody,
			reply: commandProgress,
		},
		({ params }) => ok(jsonReply(board.look(params.id))),
	);
}
