// An agent that is asked for models by the names people use, and gets those that it takes itself.
import type { Connection, DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import type { Result } from '@roost/protocol/result';

export type ToModelName = (model: string) => Result<string>;

/** What is on record is the name that people gave. */
export function withModelNames(agent: DrivableAgent, toModelName: ToModelName): DrivableAgent {
	/** One that has no such model refuses it; where nobody asked, it is told the name as it is. */
	const named = (model: string) => {
		const name = toModelName(model);
		return name.ok ? name.value : model;
	};
	const meant = (request: DrivenRequest): DrivenRequest =>
		request.model === undefined ? request : { ...request, model: named(request.model) };
	return {
		...agent,
		refuse(request) {
			const name = request.model === undefined ? undefined : toModelName(request.model);
			return name && !name.ok ? name.error.message : agent.refuse(meant(request));
		},
		open(request) {
			const { runtime, connection } = agent.open(meant(request));
			const control: Connection['control'] = (command) =>
				connection.control(command.type === 'model' ? { ...command, model: named(command.model) } : command);
			const models: Connection['models'] = async () => {
				const choice = await connection.models();
				return choice && { ...choice, has: (model) => choice.has(named(model)) };
			};
			return { runtime, connection: { ...connection, control, models } };
		},
	};
}
