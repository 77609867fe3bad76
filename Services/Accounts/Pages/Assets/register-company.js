// The form of companies is sent as that of individuals.
import "./register.js";
