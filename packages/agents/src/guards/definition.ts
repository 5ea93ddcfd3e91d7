// The definition of a guard as it is deployed: written once, read again for every call.
import { isJsonObject, stringAt } from '../base/json-object.ts';
import type { HooksDef, QualityGate } from '../base/types.ts';

/** Undefined for anything that is not one. */
export function parseDefinition(value: unknown): HooksDef | undefined {
	if (!isJsonObject(value)) return undefined;
	const [agentName, capability, worktreePath, stateDir] = ['agentName', 'capability', 'worktreePath', 'stateDir'].map((key) =>
		stringAt(value, key),
	);
	const { qualityGates = [] } = value;
	if (!agentName || !capability || !worktreePath || !stateDir || !Array.isArray(qualityGates)) return undefined;
	const gates = qualityGates.map(parseGate);
	if (gates.includes(undefined)) return undefined;
	return { agentName, capability, worktreePath, stateDir, qualityGates: gates.filter((gate) => gate !== undefined) };
}

function parseGate(value: unknown): QualityGate | undefined {
	if (!isJsonObject(value)) return undefined;
	const name = stringAt(value, 'name');
	const command = stringAt(value, 'command');
	return name === undefined || command === undefined ? undefined : { name, command };
}
