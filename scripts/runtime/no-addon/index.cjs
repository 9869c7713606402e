// Nothing: msgpackr then uses its own code.
module.exports = undefined;
