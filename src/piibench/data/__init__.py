"""The paper's objects (section 3.1, Table 1, Appendix A) and the files that hold them."""
