// The token comes in the fragment of the address, which is never sent. It stays out of the history.
const token = new URLSearchParams(location.hash.slice(1)).get("k");
history.replaceState(null, "", location.pathname);

const state = document.getElementById("state");
const events = await fetch("api/v1/events?since=0", { headers: { "x-ramsey-token": token ?? "" } });
state.textContent = events.ok ? "Connected." : "Open the address that the command printed.";
