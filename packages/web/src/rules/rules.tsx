// The standing rules by where they apply, a form for a new one, and a test of a call.
import type { Rule } from '@roost/protocol/rule';
import { useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { useSource, useWorld } from '../data/use-world.ts';
import { useAction } from '../keys/use-action.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { Empty, Page, Part } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import { Rows } from '../parts/rows.tsx';
import { AddRule } from './add-rule.tsx';
import { filterRules, groupRules } from './group-rules.ts';
import { RemoveRule } from './remove-rule.tsx';
import { RuleRow } from './rule-row.tsx';
import { TestCall } from './test-call.tsx';

export function Rules() {
	const { api } = useConnected();
	const source = useSource();
	const [params, setParams] = useSearchParams();
	const rules = useRead('rules', api.rules.list);
	const isAdding = params.has('add');
	const refresh = () => {
		rules.again();
		source.readRules();
	};
	const close = () => setParams({}, { replace: true });
	return (
		<Page
			title="Rules"
			actions={
				isAdding ? undefined : (
					<Button look="primary" onClick={() => setParams({ add: '1' })}>
						Add a rule
					</Button>
				)
			}
		>
			{isAdding ? (
				<AddRule
					onAdded={() => {
						close();
						refresh();
					}}
					onCancel={close}
				/>
			) : null}
			{rules.value === undefined ? <NotRead {...rules} /> : <RuleList rules={rules.value} onRemoved={refresh} />}
			<TestCall />
		</Page>
	);
}

function RuleList({ rules, onRemoved }: { rules: readonly Rule[]; onRemoved: () => void }) {
	const { sessions } = useWorld();
	const [words, setWords] = useState('');
	const [removing, setRemoving] = useState<Rule>();
	const filter = useRef<HTMLInputElement>(null);
	useAction('find', () => filter.current?.focus());
	if (rules.length === 0) return <Empty>No rules: agents ask for every call that their own settings do not allow.</Empty>;
	const groups = groupRules(filterRules(rules, words), sessions);
	return (
		<>
			<TextField ref={filter} label="Filter" value={words} onChange={setWords} />
			{groups.length === 0 ? <Empty>No rule contains these words.</Empty> : null}
			{groups.map(({ key, title, rules: own }) => (
				<Part key={key} title={title}>
					<Rows label={title}>
						{own.map((rule) => (
							<RuleRow key={rule.id} rule={rule} onRemove={() => setRemoving(rule)} />
						))}
					</Rows>
				</Part>
			))}
			{removing === undefined ? null : (
				<RemoveRule rule={removing} onRemoved={onRemoved} onClose={() => setRemoving(undefined)} />
			)}
		</>
	);
}
