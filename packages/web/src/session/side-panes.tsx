// Beside the feed: tasks, actors, and what the session used.
import { money, short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { actorName } from '@roost/core/views/actor-names';
import { type ActorNode, toActorTree } from '@roost/core/views/actors';
import type { SessionView } from '@roost/core/views/session-view';
import type { TodoView } from '@roost/core/views/todos';
import styles from './session.module.css';

export function SidePanes({ view }: { view: SessionView }) {
	return (
		<aside className={styles.panes} aria-label="Tasks, actors and cost">
			<Tasks todos={[...view.todos.byKey.values()]} />
			<section aria-labelledby="actors">
				<h2 id="actors">Actors</h2>
				<ul>
					{toActorTree(view.actors)
						.filter(({ actor }) => actor.kind !== 'user')
						.map((node) => (
							<Actor key={node.actor.actorId} node={node} view={view} />
						))}
				</ul>
			</section>
			<Cost view={view} />
		</aside>
	);
}

const TODO_SIGNS = { open: '☐', doing: '◐', blocked: '✗', done: '☑' } as const;

function Tasks({ todos }: { todos: readonly TodoView[] }) {
	const done = todos.filter(({ status }) => status === 'done').length;
	return (
		<section aria-labelledby="tasks">
			<h2 id="tasks">Tasks {todos.length > 0 ? <span>{`${done} of ${todos.length}`}</span> : null}</h2>
			{todos.length === 0 ? <p>No tasks yet</p> : null}
			<ul>
				{todos.map(({ actorId, todoId, status, text }) => (
					<li key={`${actorId} ${todoId}`} data-todo={status}>
						<span aria-label={status} role="img">
							{TODO_SIGNS[status]}
						</span>
						<span>{sanitiseLine(text)}</span>
					</li>
				))}
			</ul>
		</section>
	);
}

function Actor({ node: { actor, children }, view }: { node: ActorNode; view: SessionView }) {
	const failed = actor.toolFailures > 0 ? `, ${actor.toolFailures} failed` : '';
	return (
		<li>
			<span aria-label={actor.running ? 'running' : 'not running'} role="img" data-running={actor.running}>
				{actor.running ? '●' : '○'}
			</span>
			<span>
				{sanitiseLine(actorName(actor.actorId, view.actors))}
				<small>{` ${plural(actor.toolCalls, 'call')}${failed}`}</small>
			</span>
			{children.length > 0 ? (
				<ul>
					{children.map((child) => (
						<Actor key={child.actor.actorId} node={child} view={view} />
					))}
				</ul>
			) : null}
		</li>
	);
}

function Cost({ view: { usage, summary } }: { view: SessionView }) {
	const { total, costUsdEstimate } = usage;
	const rows = [
		['Input', total.input_tokens],
		['Output', total.output_tokens],
		['Cache read', total.cache_read_tokens],
		['Cache write', total.cache_write_tokens],
	] as const;
	return (
		<section aria-labelledby="cost">
			<h2 id="cost">Cost {costUsdEstimate === undefined ? null : <span>{money(costUsdEstimate)}</span>}</h2>
			<dl>
				{rows.map(([name, count]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{short(count)}</dd>
					</div>
				))}
				<div>
					<dt>Tool calls</dt>
					<dd>{short(summary.toolCalls)}</dd>
				</div>
			</dl>
		</section>
	);
}
