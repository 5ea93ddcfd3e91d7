// Asks before a rule is removed.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { Rule } from '@roost/protocol/rule';
import { useConnected } from '../data/use-connected.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';

type RemoveRuleProps = { rule: Rule; onRemoved: () => void; onClose: () => void };

export function RemoveRule({ rule: { id, decision, tool, argsPattern = '' }, onRemoved, onClose }: RemoveRuleProps) {
	const { api } = useConnected();

	async function remove() {
		const reply = await api.rules.remove({ id });
		if (reply.ok) onRemoved();
		return reply;
	}

	return (
		<ConfirmDialog title="Remove this rule?" action="Remove" onConfirm={remove} onClose={onClose}>
			<code>{sanitiseLine(`${decision} ${tool} ${argsPattern}`)}</code>
		</ConfirmDialog>
	);
}
