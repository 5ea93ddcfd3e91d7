// Scripts for the fake model: a function from a request to a reply, or turns written down in order.
import { apiError, type Block, type ModelReply, message } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';

export type Script = (request: ModelRequest) => ModelReply | Promise<ModelReply>;

/** The blocks of one message, or any other reply. */
export type Turn = readonly Block[] | ModelReply;

export type AgentTurns = {
	readonly main: readonly Turn[];
	/** Keyed by a phrase in the prompt the subagent is given. */
	readonly subagents?: Readonly<Record<string, readonly Turn[]>>;
};

/** The main agent's turns, one for each call. */
export function scriptTurns(...turns: readonly Turn[]): Script {
	return scriptAgents({ main: turns });
}

/** Each agent's own turns, one for each of its calls, in any order of the agents. */
export function scriptAgents(turns: AgentTurns): Script {
	const main = playTurns('the main agent', turns.main);
	const subagents = Object.entries(turns.subagents ?? {}).map(([phrase, list]) => ({
		phrase,
		play: playTurns(`the subagent "${phrase}"`, list),
	}));
	return (request) => {
		if (request.agent === 'main') return main();
		const match = subagents.find(({ phrase }) => request.firstUserText.includes(phrase));
		return match?.play() ?? unscripted(`a subagent with the prompt "${request.firstUserText}"`);
	};
}

function playTurns(who: string, turns: readonly Turn[]): () => ModelReply {
	let next = 0;
	return () => {
		const turn = turns[next];
		next += 1;
		return turn === undefined ? unscripted(`call ${next} of ${who}`) : toReply(turn);
	};
}

function toReply(turn: Turn): ModelReply {
	return 'kind' in turn ? turn : message(turn);
}

/** A client error, because clients do not retry those: the run ends with the missing turn. */
function unscripted(what: string): ModelReply {
	return apiError(400, 'invalid_request_error', `The script has no turn for ${what}.`);
}
