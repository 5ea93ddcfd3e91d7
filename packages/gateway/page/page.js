// The page at /: what runs and what waits, for looking only. Every text is set as text, and came escaped from the runner.
const LOOK_MS = 2_000;

let timer;
let shown;

async function look() {
	clearTimeout(timer);
	try {
		const response = await fetch('/api/v1/overview');
		if (response.ok) showNew(await response.text());
		else refuse(response.status);
	} catch {
		hide('The runner does not answer: start it in a terminal with "roost up", then reload this page.');
	}
	timer = setTimeout(look, LOOK_MS);
}

/** What did not change stays, so that a text can be marked and copied. */
function showNew(text) {
	if (text === shown) return;
	shown = text;
	show(JSON.parse(text));
}

function show({ runner, sessions, asks }) {
	find('runner').textContent = `${runner.name}, version ${runner.version}`;
	find('state').textContent = 'You are logged in. This page only shows: answer what waits in a terminal, as it says there.';
	fill('asks', asks.map(toAsk));
	fill('sessions', sessions.map(toSession));
	find('nothing-waits').hidden = asks.length > 0;
	find('no-sessions').hidden = sessions.length > 0;
	find('shown').hidden = false;
	find('logout').hidden = false;
}

function refuse(status) {
	const loggedOut = status === 401 || status === 403;
	hide(
		loggedOut
			? 'You are not logged in here: run "roost status --link" in a terminal and open the link that it prints.'
			: `The runner could not say what it has (${status}): "roost status" in a terminal says more.`,
	);
}

function hide(sentence) {
	shown = undefined;
	find('state').textContent = sentence;
	find('shown').hidden = true;
	find('logout').hidden = true;
	fill('asks', []);
	fill('sessions', []);
}

function toAsk({ id, kind, tool, input, risk, session, openedAt }) {
	const how = kind === 'question' ? `roost answer ${id} --set "Question=Answer"` : `roost allow ${id}    or    roost deny ${id}`;
	return [
		make('p', `${tool} · ${kind} · risk ${risk} · session ${session} · since ${toTime(openedAt)}`),
		make('pre', input),
		make('code', how),
	];
}

function toSession({ id, agent, status, title, project, lastEventAt }) {
	return [
		make('p', `${id} · ${agent} · ${status} · last heard of ${toTime(lastEventAt)}`),
		make('p', title),
		make('p', project),
		make('code', `roost feed ${id}`),
	];
}

function fill(id, items) {
	const rows = items.map((parts) => {
		const row = document.createElement('li');
		row.append(...parts);
		return row;
	});
	find(id).replaceChildren(...rows);
}

function make(name, text) {
	const element = document.createElement(name);
	element.textContent = text;
	return element;
}

function toTime(at) {
	return new Date(at).toLocaleTimeString();
}

function find(id) {
	return document.getElementById(id);
}

find('logout').addEventListener('click', async () => {
	await fetch('/api/v1/logout', { method: 'POST' });
	await look();
});

void look();
