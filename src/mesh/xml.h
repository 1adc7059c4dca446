// Just enough XML for VTK files: tags one by one with their attributes. No entities beyond the five
// standard ones; nesting is left to the caller.
#pragma once

#include "base/text.h"
#include "mesh/scan.h"

enum { ST_XML_ATTRIBUTE_MAX = 24 };

typedef struct StXmlAttribute {
  StSpan name, value; // as written
} StXmlAttribute;

typedef struct StXmlTag {
  StSpan name;
  bool closing; // </name>
  bool empty;   // <name/>
  int attribute_count;
  StXmlAttribute attribute[ST_XML_ATTRIBUTE_MAX];
} StXmlTag;

// The next tag, skipping text, comments and declarations; the scan ends right after it. *found is
// false at the end of the file.
StStatus st_xml_next(StScan *scan, StXmlTag *tag, bool *found);

// Value of an attribute; length 0 if missing.
StSpan st_xml_attribute(const StXmlTag *tag, const char *name);

// As the value of an attribute or as text.
void st_xml_add_escaped(StText *text, const char *name);
