// An XML document as a tree of elements with their attributes; text between tags is left out.
#pragma once

#include "mesh/xml.h"

typedef struct StXmlNode {
  StXmlTag tag;
  int line;
  int parent, next, child; // numbers of elements; -1: none
} StXmlNode;

typedef struct StXmlTree {
  char *text; // that spans point into
  StXmlNode *node;
  size_t capacity;
  int count; // the root is 0
} StXmlTree;

StStatus st_xml_tree_read(const char *path, StXmlTree *tree, StError *error);
void st_xml_tree_free(StXmlTree *tree);

// The first child of this name, or the next one after a sibling; -1: none.
int st_xml_child(const StXmlTree *tree, int node, const char *name);
int st_xml_next_child(const StXmlTree *tree, int node, const char *name);

// Reads up to `most` numbers of an attribute; returns their count.
int st_xml_numbers(const StXmlTree *tree, int node, const char *attribute, double *number,
                   int most);

// A copy of an attribute's text; NULL: missing (or out of memory). free() it.
char *st_xml_text(const StXmlTree *tree, int node, const char *attribute);
