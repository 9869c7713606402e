/** Node's `fetch` takes a dispatcher, too. Tests are checked with the browser's types, for what they run in pages. */
interface RequestInit {
  dispatcher?: import("undici-types").Dispatcher;
}
